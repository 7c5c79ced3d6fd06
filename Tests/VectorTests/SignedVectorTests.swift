import AppStoreReceiptValidation
import Foundation
import OracleSupport
import Testing
import VectorRecipe

@testable import AppStoreReceipt

/// The vectors of signed JSON and App Attest receipts: decoding, validation, examination, OpenSSL.
struct SignedVectorTests {
    private static let kinds: Set<DocumentKind> = [
        .signedTransaction, .signedRenewalInfo, .signedAppTransaction, .notification, .appAttestReceipt,
    ]

    @Test(arguments: VectorFiles.signed)
    func vector(vector: Vector) throws {
        let document: AnySignedDocument
        do throws(ReceiptDecodingError) {
            document = try AnySignedDocument(transport: vector.input, accepting: Self.kinds)
        } catch {
            guard case .undecodable(let code, _) = try vector.expectation else { throw error }
            #expect(error.code.rawValue == code, "\(error)")
            return
        }
        switch try vector.expectation {
        case .undecodable: Issue.record("it decoded")
        case .valid: try vector.judge(document.document, nil, under: try vector.signedPolicy)
        case .rejected(let reason): try vector.judge(document.document, reason, under: try vector.signedPolicy)
        }
        try askOpenSSL(vector)
    }

    /// We are never more lenient than libcrypto's chain and signature, or `CMS_verify`. The parts are taken out by
    /// Foundation's readers.
    private func askOpenSSL(_ vector: Vector) throws {
        let isOK: Bool
        if vector.group == "app-attest" {
            isOK = Oracle.verifyCMS(vector.input, roots: try vector.anchors, at: 1_748_779_200).isOK
        } else {
            let text = String(decoding: vector.input, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            let parts = text.split(separator: ".").map(String.init)
            let header = try JSONSerialization.jsonObject(with: Self.base64URL(parts[0])) as? [String: Any]
            let chain = (header?["x5c"] as? [String] ?? []).compactMap { Data(base64Encoded: $0).map { [UInt8]($0) } }
            let leaf = try #require(chain.first)
            let path = Oracle.verifyCertificate(
                leaf, intermediates: Array(chain.dropFirst().prefix(1)), roots: try vector.anchors, at: 1_759_302_518)
            let signature = Oracle.verifySignature(
                Self.sequence(of: [UInt8](try Self.base64URL(parts[2]))), over: Array("\(parts[0]).\(parts[1])".utf8),
                certificate: leaf, digest: "SHA256")
            isOK = path.isOK && signature.isOK
        }
        switch vector[.openssl] {
        case "ok": #expect(isOK)
        case "fail": #expect(!isOK, "OpenSSL verifies it")
        default: throw VectorError("openssl must be ok or fail")
        }
        if try vector.expectation == .valid { #expect(isOK, "we accept what OpenSSL refuses") }
    }

    private static func base64URL(_ text: String) throws -> Data {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        return try #require(Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)))
    }

    /// ECDSA-Sig-Value of RFC 3279 section 2.2.3 from r and s.
    private static func sequence(of signature: [UInt8]) -> [UInt8] {
        let integers = [signature.prefix(32), signature.suffix(32)].flatMap { number -> [UInt8] in
            let digits = Array(number.drop { $0 == 0 })
            let value = digits.first.map { $0 >= 0x80 } ?? true ? [0] + digits : digits
            return [0x02, UInt8(value.count)] + value
        }
        return [0x30, UInt8(integers.count)] + integers
    }
}

extension Vector {
    fileprivate var signedPolicy: ValidationPolicy {
        get throws {
            var policy = try policy
            func values(_ key: Key) -> Set<String>? { all(key).isEmpty ? nil : Set(all(key)) }
            policy.appAppleIDs = values(.appAppleID).map { Set($0.compactMap { Int64($0) }) }
            policy.accountTokens = values(.accountToken)
            policy.appAttest.appIDs = values(.attestedApp)
            policy.appAttest.keyIdentifiers = values(.attestedKey)
            policy.appAttest.receiptTypes = values(.attestedType).map {
                Set($0.map { AppAttestReceipt.ReceiptType(rawValue: $0) })
            }
            return policy
        }
    }
}
