import AppStoreReceipt
import Foundation
import TestSupport
import Testing

@testable import AppStoreReceiptValidation

/// Apple's certificates in the code are the files beside it, and these are Apple's.
struct AppleCertificatesTests {
    static let rows: [(file: String, bytes: [UInt8], sha256: String)] = [
        (
            "AppleRootCA", AppleCertificates.appleRootCA,
            "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"
        ),
        (
            "AppleRootCAG3", AppleCertificates.appleRootCAG3,
            "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
        ),
        (
            "AppleWWDRCAG1", AppleCertificates.appleWWDRCAG1,
            "ce057691d730f89ca25e916f7335f4c8a15713dcd273a658c024023f8eb809c2"
        ),
        (
            "AppleWWDRCAG5", AppleCertificates.appleWWDRCAG5,
            "53fd008278e5a595fe1e908ae9c5e5675f26243264a5a6438c023e3ce2870760"
        ),
        (
            "AppleWWDRCAG7", AppleCertificates.appleWWDRCAG7,
            "0f570d7502373a2102e2106faaa8fa4844944a07ee676198484f4d6ce15bea47"
        ),
        (
            "AppleWWDRCAG8", AppleCertificates.appleWWDRCAG8,
            "29901badea37c9f300ce9869956beeb001d7e71bffb2e2d9533e132a4e87e6bd"
        ),
    ]

    static let folder =
        Corpus.fixtures.dropLast("Fixtures".count) + "Sources/AppStoreReceiptValidation/Policy/Certificates"

    @Test(arguments: rows.indices)
    func certificate(index: Int) throws {
        let row = Self.rows[index]
        #expect(try CertificateFingerprint(of: row.bytes).description == row.sha256)
        #expect(try Corpus.bytes("\(Self.folder)/\(row.file).cer") == row.bytes, "run Scripts/make-certificates")
    }

    @Test func everyFileHasARow() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: String(Self.folder))
        #expect(Set(files) == Set(Self.rows.map { "\($0.file).cer" }))
    }

    /// Each profile trusts the roots under which Apple signs its documents, and no other of Apple's.
    @Test func rootsOfProfiles() {
        let roots = SignerProfile.all.map { profile in TrustAnchor.apple.filter(profile.accepts) }
        #expect(roots == [[.appleRootCA], [.appleRootCA], [.appleRootCAG3], [.appleRootCAG3]])
    }
}
