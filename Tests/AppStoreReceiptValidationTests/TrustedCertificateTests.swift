import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import TestSupport
import Testing

/// The two roles of trust: what may take which, and that what signs by itself issues nothing.
struct TrustedCertificateTests {
    enum Role: Equatable {
        case root
        case directSigner
        case none(TrustError.Code)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let role: Role
        let certificate: @Sendable () throws -> [UInt8]

        init(_ name: String, _ role: Role, _ certificate: @escaping @Sendable () throws -> [UInt8]) {
            testDescription = name
            self.role = role
            self.certificate = certificate
        }

        /// The root of the App Store's or Xcode's chain, with edits.
        init(
            _ name: String, _ role: Role, of template: ChainTemplate = .standard(),
            _ edit: @escaping @Sendable (inout CertificateTemplate) throws -> Void
        ) {
            self.init(name, role) {
                var root = template.root
                try edit(&root)
                return try root.issue(under: nil).der
            }
        }
    }

    static func purposes(_ purposes: [UInt]...) -> CertificateExtension {
        CertificateExtension([2, 5, 29, 37], critical: true, .sequence(purposes.map { .oid($0) }))
    }

    static let rows: [Row] = [
        Row("Apple Root CA", .root) { TrustAnchor.appleRootCA.certificate },
        Row("a root", .root) { _ in },
        Row("a root of 1,024 bits", .root) { $0.key = TestKeys.rsa1024 },
        Row("a root of 4,096 bits", .root) { $0.key = TestKeys.rsa4096 },
        Row("a root without keyUsage", .root) { $0.keyUsage = nil },
        Row("a root with keyCertSign only", .root) { $0.keyUsage = .init([5]) },
        Row("a root that allows no intermediate", .root) { $0.basicConstraints = .init(isCA: true, pathLength: 0) },
        Row("Xcode's", .directSigner, of: .xcode()) { _ in },
        Row("Xcode's for any purpose", .directSigner, of: .xcode()) {
            $0.extraExtensions = [purposes([1, 3, 6, 1, 5, 5, 7, 3, 1], [2, 5, 29, 37, 0])]
        },
        Row("Xcode's for no stated purpose", .directSigner, of: .xcode()) { $0.extraExtensions = [] },
        Row("Xcode's without keyCertSign", .directSigner, of: .xcode()) { $0.keyUsage = .init([0]) },
        Row("a root with digitalSignature", .directSigner) { $0.keyUsage = .init([0, 5, 6]) },
        Row("512 bits", .none(.unusableKey)) { $0.key = TestKeys.rsa512 },
        Row("8,192 bits", .none(.unusableKey)) { $0.key = TestKeys.rsa8192 },
        Row("a root that is no authority", .none(.notAnAuthority)) { $0.basicConstraints = .init(isCA: false) },
        Row("a root without basicConstraints", .none(.notAnAuthority)) { $0.basicConstraints = nil },
        Row("a root that may not sign certificates", .none(.notAnAuthority)) { $0.keyUsage = .init([6]) },
        Row("Xcode's as no authority", .none(.notAnAuthority), of: .xcode()) {
            $0.basicConstraints = .init(isCA: false)
        },
        Row("a root for signing code", .none(.otherPurpose)) {
            $0.extraExtensions = [purposes([1, 3, 6, 1, 5, 5, 7, 3, 3])]
        },
        Row("a server's", .none(.otherPurpose), of: .xcode()) {
            $0.extraExtensions = [purposes([1, 3, 6, 1, 5, 5, 7, 3, 1])]
        },
        Row("a root with an intermediate's marker", .none(.intermediate)) {
            $0.markers = [ChainTemplate.intermediateMarker]
        },
        Row("a root with a signer's marker", .none(.signer)) { $0.markers = [ChainTemplate.leafMarker] },
        Row("Xcode's with a signer's marker", .none(.signer), of: .xcode()) {
            $0.markers = [ChainTemplate.leafMarker]
        },
        Row("an intermediate", .none(.intermediate)) { try #require(try ForgedPKI().intermediate).der },
        Row("an intermediate without marker", .none(.intermediate)) {
            try #require(try ForgedPKI(.standard()) { $0.intermediate?.markers = [] }.intermediate).der
        },
        Row("a leaf", .none(.signer)) { try ForgedPKI().leaf.der },
        Row("a leaf without marker", .none(.signer)) {
            try ForgedPKI(.standard()) { $0.leaf?.markers = [] }.leaf.der
        },
        Row("no usage that can be read", .none(.malformed)) {
            $0.extraExtensions = [CertificateExtension([2, 5, 29, 37], critical: true, .sequence([]))]
        },
        Row("a byte too many", .none(.malformed)) { TrustAnchor.appleRootCA.certificate + [0] },
        Row("a byte too few", .none(.malformed)) { TrustAnchor.appleRootCA.certificate.dropLast() },
        Row("nothing", .none(.malformed)) { [] },
    ]

    @Test(arguments: rows)
    func role(row: Row) throws {
        let certificate = try row.certificate()
        func code<Value>(_ make: () throws(TrustError) -> Value) -> TrustError.Code? {
            do throws(TrustError) {
                _ = try make()
                return nil
            } catch {
                #expect(!error.message.isEmpty && !error.advice.isEmpty)
                #expect((error.decodingError != nil) == (error.code == .malformed))
                return error.code
            }
        }
        let asAny = code { () throws(TrustError) in
            let found = try TrustedCertificate(certificate: certificate)
            #expect(found.certificate == certificate)
            return found
        }
        let asRoot = code { () throws(TrustError) in try TrustAnchor(certificate: certificate) }
        let asSigner = code { () throws(TrustError) in try DirectSigner(certificate: certificate) }
        let asPolicy = code { () throws(TrustError) in
            let policy = try ValidationPolicy(trusting: [certificate])
            #expect(policy.roots.map(\.certificate) == (row.role == .root ? [certificate] : []))
            #expect(policy.directSigners.map(\.certificate) == (row.role == .directSigner ? [certificate] : []))
            return policy
        }
        switch row.role {
        case .root: #expect([asAny, asRoot, asSigner, asPolicy] == [nil, nil, .root, nil])
        case .directSigner: #expect([asAny, asRoot, asSigner, asPolicy] == [nil, .directSigner, nil, nil])
        case .none(let code): #expect([asAny, asRoot, asSigner, asPolicy] == [code, code, code, code])
        }
    }

    @Test func everyCodeHasARow() {
        let codes = Self.rows.compactMap { if case .none(let code) = $0.role { code } else { nil } }
        #expect(Set(codes).union([.root, .directSigner]) == Set(TrustError.Code.all))
    }

    /// Whatever somebody issues with the key of a direct signer: it signs nothing that is valid, under any type, with any
    /// names, markers and constraints, beside a trusted root, and whether the signer has the root's name or not.
    @Test func nothingIssuedUnderADirectSignerIsValid() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = ForgeRandom(seed: seed)
        func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        let root = try ForgedPKI()
        var valid = 0
        for round in 0..<120 {
            // Not of the key that the root has.
            var template = ChainTemplate.xcode(seed: 1)
            if below(3) == 0 { template.root.subject = root.root.template.subject }
            if below(3) == 0 { template.root.subject = try #require(root.intermediate).template.subject }
            let signer = try ForgedPKI(template).root
            let policy = try ValidationPolicy(trusting: [root.root.der, signer.der])
            var path = [signer]
            for _ in 0..<below(4) {
                let parts = [root.root.template, try #require(root.intermediate).template, root.leaf.template]
                var next = parts[min(below(4), 2)]
                // Not with the keys of the trusted chain, whose certificates are at hand.
                next.key = TestKeys.rsa2048(4 + below(4))
                if below(3) == 0 { next.subject = try #require(path.last).template.subject }
                if below(3) == 0 { next.basicConstraints = .init(isCA: below(2) == 0) }
                if below(3) == 0 { next.keyUsage = below(2) == 0 ? nil : .init([0, 5]) }
                if below(3) == 0 {
                    next.markers = [[], [ChainTemplate.leafMarker], [ChainTemplate.intermediateMarker]][below(3)]
                }
                path.append(try next.issue(under: path.last))
            }
            let leaf = try #require(path.last)
            var receipt = ForgedReceipt()
            receipt.environment = [.production, .sandbox, .xcode][below(3)]
            let chain = ForgedPKI(
                root: signer, intermediate: path.count > 2 ? path[path.count - 2] : nil, leaf: leaf, digest: .sha256)
            let message = try receipt.signed(by: chain) { message in
                message.certificates = path.map(\.der) + [root.root.der] + [root.intermediate?.der].compactMap(\.self)
            }
            let verdict = try ReceiptValidator(policy: policy).validate(SignedReceipt(decoding: message.bytes))
            // The signer itself vouches for type Xcode, and for nothing else.
            let isOwn = path.count == 1 && receipt.environment == .xcode
            #expect((verdict.validated != nil) == isOwn, "seed \(seed), round \(round): \(verdict)")
            if isOwn { valid += 1 }
        }
        #expect(valid > 0)
    }

    /// The reason says why a chain that does lead to a certificate of the policy is refused.
    @Test func whatADirectSignerIssuedIsCalledThat() throws {
        let own = try ForgedPKI()
        let signer = try ForgedPKI(.xcode(seed: 1)).root
        let intermediate = try #require(own.intermediate).template.issue(under: signer)
        let leaf = try own.leaf.template.issue(under: intermediate)
        let chain = ForgedPKI(root: signer, intermediate: intermediate, leaf: leaf, digest: .sha256)
        let receipt = try SignedReceipt(decoding: ForgedReceipt().signed(by: chain).bytes)
        for (anchors, sentence) in [
            ([own.root.der, signer.der], "is trusted to sign documents of Xcode's, not to issue certificates"),
            ([own.root.der], "is not trusted"),
        ] {
            let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: anchors))
            let rejection = try #require(try validator.validate(receipt).rejection)
            #expect(rejection.reason == .untrustedRoot)
            #expect(rejection.message.hasSuffix(sentence), "\(rejection.message)")
        }
    }
}
