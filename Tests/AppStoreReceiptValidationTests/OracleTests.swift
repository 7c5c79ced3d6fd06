import AppStoreReceipt
import Foundation
import OracleSupport
import ReceiptForge
import TestSupport
import Testing

@testable import AppStoreReceiptValidation

/// What is valid here is valid for `CMS_verify` and `X509_verify_cert`, with the same roots at the same time. Where we
/// reject what they take, it is for one of the reasons that ``Forgery/stricter`` explains.
@Suite struct OracleTests {
    /// Reasons for which we may be stricter: those of the rows that say why, and those for which libcrypto's reader is
    /// lenient. It takes certificates and signed attributes in BER, and compares names by what they say, so that it finds
    /// certificates where the bytes of a name differ.
    static let stricterReasons =
        Set(Forgery.all.filter { $0.stricter != nil }.map(\.reason))
        .union([
            .malformedCertificate, .malformedSignedAttributes, .signerCertificateMissing, .intermediateMissing,
            .untrustedRoot,
        ])

    struct Count {
        var valid = 0
        var rejected = 0
        var undecodable = 0
        var stricter = 0
    }

    /// Compares the verdicts on some bytes, under one root.
    private static func compare(
        _ bytes: [UInt8], _ validator: ReceiptValidator, roots: [[UInt8]], at fallback: Int64,
        allowing alsoStricter: Set<Rejection.Reason> = [], _ count: inout Count, _ comment: @autoclosure () -> String
    ) throws {
        guard let receipt = try? SignedReceipt(decoding: bytes) else {
            count.undecodable += 1
            return
        }
        let verdict = try validator.validate(receipt)
        // libcrypto's time has whole seconds, rounded down as ours are.
        let time = receipt.unverifiedReceipt.receiptCreationDate?.secondsSince1970 ?? fallback
        let theirs = Oracle.verifyCMS(bytes, roots: roots, at: time)
        switch verdict {
        case .valid:
            count.valid += 1
            if theirs != .ok(Array(receipt.payload)) {
                Issue.record("more lenient than CMS_verify (\(theirs.failure ?? "another payload")): \(comment())")
            }
            let signer = try #require(try receipt.certificateSummaries.firstIndex { $0.isSigner })
            var certificates = receipt.signedData.certificates.map { Array(receipt.der[$0]) }
            let leaf = certificates.remove(at: signer)
            let path = Oracle.verifyCertificate(leaf, intermediates: certificates, roots: roots, at: time)
            if !path.isOK { Issue.record("more lenient than X509_verify_cert (\(path)): \(comment())") }
        case .rejected(let rejection):
            count.rejected += 1
            guard theirs.isOK else { return }
            count.stricter += 1
            if !stricterReasons.union(alsoStricter).contains(rejection.reason) {
                Issue.record("stricter without a reason why: \(rejection), \(comment())")
            }
        }
    }

    // MARK: - Genuine receipts

    @Test(arguments: Corpus.paths("receipts", suffix: ".der"))
    func corpus(path: String) throws {
        let bytes = try Corpus.bytes(path)
        let folder = try #require(Corpus.directory)
        let test = try Corpus.bytes("\(folder)/certificates/StoreKitTestCertificate.cer")
        for root in [TrustAnchor.appleRootCA.certificate, test] {
            let policy = try ValidationPolicy(trusting: [root])
            var count = Count()
            try Self.compare(
                bytes, try ReceiptValidator(policy: policy), roots: [root], at: Scenario.creation, &count, path)
            let isGenuine = ["/sandbox-", "/mas-com", "/mas-net", "/mas-sandbox"].contains(where: path.contains)
            let isExpected = root == test ? path.contains("/xcode-") : isGenuine
            #expect(count.valid == (isExpected ? 1 : 0))
        }
    }

    // MARK: - Damaged containers

    /// Forged containers of every kind, and some genuine ones.
    private static let containers: [(name: String, bytes: [UInt8], root: [UInt8])] = {
        var containers: [(String, [UInt8], [UInt8])] = []
        var signedAttributes = Scenario()
        signedAttributes.useSignedAttributes()
        var xcode = Scenario()
        xcode.useXcode()
        var sha1 = Scenario()
        sha1.template = .sha1()
        var pieces = Scenario()
        pieces.message = { template, _ in template.encoding = .indefinite(pieces: 100) }
        for (name, scenario) in [
            ("plain", Scenario()), ("signed attributes", signedAttributes), ("Xcode", xcode), ("SHA-1", sha1),
            ("pieces", pieces),
        ] {
            guard let made = try? scenario.make() else { continue }
            containers.append((name, made.message.bytes, made.anchors[0]))
        }
        for path in Corpus.paths("receipts", suffix: ".der").filter({ $0.contains("/sandbox-com.") }).prefix(6) {
            containers.append((path, (try? Corpus.bytes(path)) ?? [], TrustAnchor.appleRootCA.certificate))
        }
        return containers
    }()

    @Test(arguments: containers.indices)
    func damagedContainers(index: Int) throws {
        let (name, bytes, root) = Self.containers[index]
        let policy = try ValidationPolicy(trusting: [root])
        let validator = try ReceiptValidator(policy: policy)
        let original = try BERNode(parsing: bytes)
        var mutation = TreeMutation(seed: UInt64(index))
        var count = Count()
        for number in 0..<200 {
            var damaged: [UInt8]
            if number % 2 == 0 {
                var tree = original
                for _ in 0...(number % 3) { mutation.mutate(&tree) }
                damaged = tree.encoded
            } else {
                damaged = bytes
                for _ in 0...(number % 3) {
                    let place = Int.random(in: 0..<damaged.count, using: &mutation.random)
                    damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &mutation.random)
                }
            }
            try Self.compare(
                damaged, validator, roots: [root], at: Scenario.creation, &count,
                "\(name) \(number): \(Data(damaged).base64EncodedString())")
        }
        // The root inside is nobody's concern, so that some stay valid.
        #expect(count.valid > 0 || name == "Xcode", "\(count)")
        #expect(count.rejected > 20, "\(count)")
    }

    // MARK: - Certificates that are signed as they are

    /// Damage to what a certificate says before it is signed, so that nothing is wrong with the signatures: the container
    /// is right in all else, and everything hangs on how the certificate is understood.
    @Test(arguments: [UInt64](0..<10))
    func certificatesSignedWithTheirDamage(seed: UInt64) throws {
        let template = ChainTemplate.standard()
        let root = try template.root.issue(under: nil)
        let policy = try ValidationPolicy(trusting: [root.der])
        let payload = try ForgedReceipt().payload().encoded
        var mutation = TreeMutation(seed: 100 + seed)
        var count = Count()
        for number in 0..<60 {
            let damagesLeaf = number % 2 == 0
            let intermediate = try #require(template.intermediate).issue(under: root) { tree in
                if !damagesLeaf { mutation.mutate(&tree) }
            }
            let leaf = try #require(template.leaf).issue(under: intermediate) { tree in
                if damagesLeaf { mutation.mutate(&tree) }
            }
            let chain = ForgedPKI(root: root, intermediate: intermediate, leaf: leaf, digest: .sha256)
            let message = try ForgedMessage.signing(payload, by: chain)
            try Self.compare(
                message.bytes, try ReceiptValidator(policy: policy), roots: [root.der], at: Scenario.creation,
                // Of key identifiers we take one form, and libcrypto all.
                allowing: [.signerSignatureMismatch, .intermediateSignatureMismatch], &count,
                "\(number): \(Data(message.bytes).base64EncodedString())")
        }
        #expect(count.valid > 0, "\(count)")
        #expect(count.rejected > 10, "\(count)")
    }

    /// The same for signed attributes.
    @Test(arguments: [UInt64](0..<4))
    func attributesSignedWithTheirDamage(seed: UInt64) throws {
        let chain = try ForgedPKI()
        let validator = try ReceiptValidator(
            policy: ValidationPolicy(trusting: [chain.root.der]))
        var scenario = Scenario()
        scenario.useSignedAttributes { $0.extra = [.sequence([.oid([1, 2, 3]), .set([.integer(5)])])] }
        let message = try scenario.make().message
        var mutation = TreeMutation(seed: 200 + seed)
        var count = Count()
        for number in 0..<80 {
            var tree = try BERNode(parsing: message.bytes)
            let signer = [1, 0, tree[[1, 0]].children.count - 1, 0]
            var attributes = tree[signer + [3]]
            mutation.mutate(&attributes)
            tree[signer + [3]] = attributes
            attributes.tag = BERNode.Tag(.universal, 17, constructed: true)
            tree[signer + [5]] = .octetString(try chain.leaf.key.sign(attributes.encoded, .pkcs1(.sha256)))
            let bytes = tree.encoded
            try Self.compare(
                bytes, validator, roots: [chain.root.der], at: Scenario.creation, &count,
                "\(number): \(Data(bytes).base64EncodedString())")
        }
        #expect(count.valid > 0, "\(count)")
        #expect(count.rejected > 10, "\(count)")
    }

    // MARK: - The openssl command

    /// `openssl cms -verify`, another way into libcrypto, gives the shim's answer.
    @Test(.enabled(if: Program.openssl.isWanted, "the openssl command is not installed"))
    func theCommandAgrees() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oracle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let rows = Forgery.contents.prefix(6) + Forgery.signers.prefix(6) + Forgery.chains.prefix(9)
        for forgery in rows {
            var scenario = Scenario()
            try forgery.base(&scenario)
            for isForged in [false, true] {
                if isForged { try forgery.edit(&scenario) }
                let made = try scenario.make()
                guard let root = made.anchors.first else { continue }
                let file = folder.appending(path: "receipt")
                let anchor = folder.appending(path: "root.pem")
                try Data(made.message.bytes).write(to: file)
                let base64 = Data(root).base64EncodedString(options: .lineLength64Characters)
                try Data("-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n".utf8).write(to: anchor)
                let process = Process()
                process.executableURL = URL(filePath: try #require(Program.openssl.path))
                process.arguments = [
                    "cms", "-verify", "-inform", "DER", "-binary", "-in", file.path, "-CAfile", anchor.path, "-attime",
                    "\(Scenario.creation)", "-purpose", "any", "-auth_level", "0", "-out", "/dev/null",
                ]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                process.waitUntilExit()
                #expect((process.terminationStatus == 0) == made.libcrypto().isOK, "\(forgery.name)")
                if try made.verdict().rejection == nil { #expect(process.terminationStatus == 0, "\(forgery.name)") }
            }
        }
    }
}
