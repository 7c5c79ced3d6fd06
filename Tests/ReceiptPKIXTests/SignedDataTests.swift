import ReceiptASN1
import ReceiptForge
import ReceiptPKIX
import TestSupport
import Testing

/// The container, field by field (RFC 5652 sections 3 and 5).
@Suite struct SignedDataTests {
    static func decode(
        _ bytes: [UInt8], limits: DecodingLimits = .default
    ) throws(ReceiptDecodingError) -> (der: [UInt8], signedData: SignedData) {
        var der = bytes
        let signedData = try SignedData.decode(&der, limits: limits)
        return (der, signedData)
    }

    // MARK: - Errors

    /// One change to a message, and the code and field of the error.
    struct Fault: CustomTestStringConvertible, Sendable {
        let name: String
        let expected: String
        let damage: Damage
        var testDescription: String { name }

        init(_ name: String, _ expected: String, _ damage: Damage) {
            self.name = name
            self.expected = expected
            self.damage = damage
        }
    }

    static let faults: [Fault] = [
        Fault("not a SEQUENCE", "unexpected-tag ContentInfo", .wrongTag(.contentInfo, 0x31)),
        Fault("an empty SEQUENCE", "missing-element ContentInfo.contentType", Damage("empty") { _ in [0x30, 0] }),
        Fault("nothing", "missing-element ContentInfo", Damage("nothing") { _ in [] }),
        Fault("content type NULL", "unexpected-tag ContentInfo.contentType", .replace(.contentType, with: .null)),
        Fault(
            "data", "not-signed-data ContentInfo.contentType",
            .replace(.contentType, with: .oid([1, 2, 840, 113549, 1, 7, 1]))),
        Fault(
            "enveloped data", "not-signed-data ContentInfo.contentType",
            .replace(.contentType, with: .oid([1, 2, 840, 113549, 1, 7, 3]))),
        Fault("no content", "missing-element ContentInfo.content", .editChildren(of: .contentInfo) { $0.removeLast() }),
        Fault(
            "content [1]", "unexpected-tag ContentInfo.content",
            .editChildren(of: .contentInfo) { $0[1].tag.number = 1 }),
        Fault("something behind the content", "trailing-bytes ContentInfo", .add(.null, to: .contentInfo)),
        Fault(
            "two SignedData", "trailing-bytes ContentInfo.content",
            .editChildren(of: .contentInfo) { nodes in nodes[1].children += nodes[1].children }),
        Fault("SignedData is a SET", "unexpected-tag SignedData", .wrongTag(.signedData, 0x31)),
        Fault("version NULL", "unexpected-tag SignedData.version", .replace(.version, with: .null)),
        Fault("version 6", "unsupported-version SignedData.version", .replace(.version, with: .integer(6))),
        Fault("version -1", "unsupported-version SignedData.version", .replace(.version, with: .integer(-1))),
        Fault(
            "version 2^64", "integer-too-large SignedData.version",
            .replace(.version, with: .integer(octets: [1, 0, 0, 0, 0, 0, 0, 0, 0]))),
        Fault(
            "digest algorithms in a SEQUENCE", "unexpected-tag SignedData.digestAlgorithms",
            .wrongTag(.digestAlgorithms, 0x30)),
        Fault(
            "a digest algorithm NULL", "unexpected-tag SignedData.digestAlgorithms", .add(.null, to: .digestAlgorithms)),
        Fault(
            "a digest algorithm with more", "trailing-bytes SignedData.digestAlgorithms",
            .add(.null, to: .inside(.digestAlgorithms, [0]))),
        Fault(
            "five digest algorithms", "too-many-signer-infos SignedData.digestAlgorithms",
            .editChildren(of: .digestAlgorithms) { nodes in nodes = [BERNode](repeating: nodes[0], count: 5) }),
        Fault(
            "encapsulated content NULL", "unexpected-tag EncapsulatedContentInfo",
            .replace(.encapsulatedContent, with: .null)),
        Fault(
            "encapsulated type NULL", "unexpected-tag EncapsulatedContentInfo.eContentType",
            .replace(.encapsulatedContentType, with: .null)),
        Fault(
            "detached", "missing-content EncapsulatedContentInfo.eContent",
            .editChildren(of: .encapsulatedContent) { $0.removeLast() }),
        Fault(
            "content [1] inside", "unexpected-tag EncapsulatedContentInfo.eContent",
            .editChildren(of: .encapsulatedContent) { $0[1].tag.number = 1 }),
        Fault(
            "content is a UTF8String", "unexpected-tag EncapsulatedContentInfo.eContent", .wrongTag(.content, 0x0C)),
        Fault(
            "two contents", "trailing-bytes EncapsulatedContentInfo.eContent",
            .editChildren(of: .encapsulatedContent) { nodes in nodes[1].children += nodes[1].children }),
        Fault(
            "something behind the content", "trailing-bytes EncapsulatedContentInfo",
            .add(.null, to: .encapsulatedContent)),
        Fault(
            "an extended certificate", "unsupported-certificate SignedData.certificates",
            .add(.implicit(0, .sequence([])), to: .certificates)),
        Fault(
            "a version 1 attribute certificate", "unsupported-certificate SignedData.certificates",
            .add(.implicit(1, .sequence([])), to: .certificates)),
        Fault(
            "an attribute certificate", "unsupported-certificate SignedData.certificates",
            .add(.implicit(2, .sequence([])), to: .certificates)),
        Fault(
            "another certificate", "unsupported-certificate SignedData.certificates",
            .add(.implicit(3, .sequence([])), to: .certificates)),
        Fault(
            "NULL for a certificate", "unsupported-certificate SignedData.certificates", .add(.null, to: .certificates)),
        Fault(
            "nine certificates", "too-many-certificates SignedData.certificates",
            .editChildren(of: .certificates) { nodes in nodes = [BERNode](repeating: nodes[0], count: 9) }),
        Fault(
            "revocation lists before certificates", "unexpected-tag SignedData.signerInfos",
            .editChildren(of: .signedData) { $0.insert(.implicit(1, .set([])), at: 3) }),
        Fault("signers in a SEQUENCE", "unexpected-tag SignedData.signerInfos", .wrongTag(.signers, 0x30)),
        Fault(
            "no signers' SET", "missing-element SignedData.signerInfos",
            .editChildren(of: .signedData) { $0.removeLast() }),
        Fault("something behind the signers", "trailing-bytes SignedData", .add(.null, to: .signedData)),
        Fault(
            "five signers", "too-many-signer-infos SignedData.signerInfos",
            .editChildren(of: .signers) { nodes in nodes = [BERNode](repeating: nodes[0], count: 5) }),
        Fault("a signer NULL", "unexpected-tag SignerInfo", .replace(.signer(0), with: .null)),
        signer("version NULL", "unexpected-tag SignerInfo.version", [0], .null),
        signer("version 6", "unsupported-version SignerInfo.version", [0], .integer(6)),
        signer("identifier NULL", "unexpected-tag SignerInfo.sid", [1], .null),
        signer("issuer NULL", "unexpected-tag SignerInfo.sid.issuer", [1, 0], .null),
        signer("serial NULL", "unexpected-tag SignerInfo.sid.serialNumber", [1, 1], .null),
        signer("serial not minimal", "invalid-integer SignerInfo.sid.serialNumber", [1, 1], .integer(octets: [0, 1])),
        signer("identifier empty", "missing-element SignerInfo.sid.issuer", [1], .sequence([])),
        signer("constructed key identifier", "unexpected-tag SignerInfo.sid", [1], .explicit(0, .octetString([1]))),
        signer("digest algorithm NULL", "unexpected-tag SignerInfo.digestAlgorithm", [2], .null),
        signer("signature algorithm NULL", "unexpected-tag SignerInfo.signatureAlgorithm", [3], .null),
        signer("signature NULL", "unexpected-tag SignerInfo.signature", [4], .null),
        signer("primitive signed attributes", "unexpected-tag SignerInfo.signatureAlgorithm", [3], .implicit(0, .null)),
        Fault(
            "something in the identifier", "trailing-bytes SignerInfo.sid", .add(.null, to: .inside(.signer(0), [1]))),
        Fault("something behind the signature", "trailing-bytes SignerInfo", .add(.null, to: .signer(0))),
        Fault("an octet behind it", "trailing-bytes ContentInfo", .append([5])),
        Fault("zeros behind it", "unexpected-end-of-contents ContentInfo", .append([0, 0])),
        Fault("no end", "missing-end-of-contents ContentInfo", .missingEndOfContents(.contentInfo)),
        Fault("no end inside", "missing-end-of-contents ContentInfo", .missingEndOfContents(.encapsulatedContent)),
    ]

    private static func signer(_ name: String, _ expected: String, _ path: [Int], _ node: BERNode) -> Fault {
        Fault("signer's \(name)", expected, .replace(.inside(.signer(0), path), with: node))
    }

    @Test(arguments: faults)
    func fault(row: Fault) throws {
        let bytes = try ForgedReceipt().signed().damaged(row.damage).bytes
        let error = #expect(throws: ReceiptDecodingError.self) { try Self.decode(bytes) }
        #expect("\(error?.code.rawValue ?? "") \(error?.field ?? "")" == row.expected)
        let offset = try #require(error?.offset)
        #expect((0...bytes.count).contains(offset))
    }

    /// The same faults in BER: the same errors, at the place in the BER where the fault is.
    @Test(
        arguments: faults.filter { !$0.name.contains("end") && !$0.name.contains("behind it") && $0.name != "nothing" })
    func faultInBER(row: Fault) throws {
        let strict = try ForgedReceipt().signed().damaged(row.damage).bytes
        guard var tree = try? BERNode(parsing: strict), tree.tag.isConstructed, !tree.children.isEmpty else { return }
        tree.length = .indefinite
        for index in tree.children.indices where tree[[index]].tag.isConstructed { tree[[index]].length = .indefinite }
        let ber = tree.encoded
        let strictError = #expect(throws: ReceiptDecodingError.self) { try Self.decode(strict) }
        let error = #expect(throws: ReceiptDecodingError.self) { try Self.decode(ber) }
        #expect(error?.code == strictError?.code)
        #expect(error?.field == strictError?.field)
        let (offset, strictOffset) = (try #require(error?.offset), try #require(strictError?.offset))
        #expect((0...ber.count).contains(offset))
        // The same element stands there; where one is missing, something else may.
        guard error?.code != .missingElement, strictOffset < strict.count else { return }
        #expect(ber.indices.contains(offset) && ber[offset] == strict[strictOffset])
    }

    // MARK: - What is read

    @Test func fieldsAreRead() throws {
        var receipt = ForgedReceipt()
        receipt.purchases = [.consumable("com.example.coins")]
        let message = try receipt.signed()
        let (der, signedData) = try Self.decode(message.bytes)
        #expect(der == message.bytes)
        #expect(signedData.version == 1)
        #expect(signedData.digestAlgorithms.map(\.algorithm) == [.sha256])
        #expect(signedData.digestAlgorithms.map(\.parameters) == [.null])
        #expect(signedData.contentType == .data)
        #expect(Array(der[signedData.content]) == message.payload)
        #expect(signedData.certificates.map { Array(der[$0]) } == message.chain.certificates)
        #expect(!signedData.hasCRLs)
        let info = try #require(signedData.signerInfos.first)
        #expect(info.version == 1)
        #expect(info.digestAlgorithm.algorithm == .sha256)
        #expect(info.signatureAlgorithm.algorithm == .rsaEncryption)
        #expect(info.signature.count == 256)
        #expect(info.signedAttributes == nil)
        #expect(!info.hasUnsignedAttributes)
        guard case .issuerAndSerialNumber(let issuer, let serial) = info.identifier else {
            Issue.record("\(info.identifier)")
            return
        }
        #expect(Array(der[issuer]) == message.chain.intermediate?.subject.node.encoded)
        #expect(Array(der[serial]) == message.chain.leaf.template.serial.encodedContent)
    }

    /// Fields that receipts do not have, and forms that BER allows.
    @Test func otherFormsAreRead() throws {
        for version in 0...5 {
            let message = try ForgedReceipt().signed { template in
                template.version = version
                template.signers[0].version = version
            }
            let signedData = try Self.decode(message.bytes).signedData
            #expect(signedData.version == version)
            #expect(signedData.signerInfos[0].version == version)
        }
        let message = try ForgedReceipt().signed { template in
            template.certificates = nil
            template.revocationLists = [.sequence([])]
            template.signers[0].identifier = .subjectKeyIdentifier([1, 2, 3])
            template.signers[0].signedAttributes = .init()
            template.signers[0].unsignedAttributes = []
            template.signers += [template.signers[0], template.signers[0], template.signers[0]]
        }
        let (der, signedData) = try Self.decode(message.bytes)
        #expect(signedData.certificates.isEmpty)
        #expect(signedData.hasCRLs)
        #expect(signedData.signerInfos.count == 4)
        for info in signedData.signerInfos {
            #expect(info.hasUnsignedAttributes)
            guard case .subjectKeyIdentifier(let range) = info.identifier else {
                Issue.record("\(info.identifier)")
                continue
            }
            #expect(Array(der[range]) == [1, 2, 3])
            let attributes = try der.span.readSignedAttributes(try #require(info.signedAttributes))
            #expect(attributes.contentType == .data)
            let digest = try ReceiptForge.DigestAlgorithm.sha256.digest(message.payload)
            #expect(attributes.messageDigest.map { Array(der[$0]) } == digest)
        }
        let eight = try ForgedReceipt().signed { template in
            template.certificates = [[UInt8]](repeating: template.certificates?[0] ?? [], count: 8)
            template.digestAlgorithms = [BERNode](repeating: ReceiptForge.DigestAlgorithm.sha1.identifier, count: 4)
        }
        #expect(try Self.decode(eight.bytes).signedData.certificates.count == 8)
        #expect(try Self.decode(eight.bytes).signedData.digestAlgorithms.count == 4)
    }

    /// Every way in which BER may be written gives the DER back that it was made from.
    @Test(arguments: [UInt64](0..<40))
    func berIsRewritten(seed: UInt64) throws {
        var random = ForgeRandom(seed: seed)
        let message = try ForgedReceipt().signed { template in
            if seed % 2 == 1 { template.signers[0].signedAttributes = .init() }
        }
        var tree = try BERNode(parsing: message.bytes)
        Self.rewrite(&tree, depth: 0, &random)
        let ber = tree.encoded
        let (der, signedData) = try Self.decode(ber)
        #expect(der == message.bytes)
        #expect(Array(der[signedData.content]) == message.payload)
    }

    /// Other length forms and segments, but not inside certificates.
    private static func rewrite(_ node: inout BERNode, depth: Int, _ random: inout ForgeRandom) {
        let isCertificates = depth == 3 && node.tag.tagClass == .contextSpecific
        if !isCertificates {
            if node.tag == BERNode.Tag(.universal, 4), Bool.random(using: &random) {
                let bytes = node.encodedContent
                let cut = Int.random(in: 0...bytes.count, using: &random)
                node = .octetString(chunks: [Array(bytes[..<cut]), Array(bytes[cut...])])
                return
            }
            for index in node.children.indices { rewrite(&node.children[index], depth: depth + 1, &random) }
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where node.tag.isConstructed: node.length = .indefinite
        case 1: node.length = .octets(Int.random(in: 3...9, using: &random))
        default: break
        }
    }
}
