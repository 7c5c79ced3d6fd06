import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge

/// The dearest inputs known of each kind, for measuring what they cost.
enum HostileInputs {
    static let policy: ValidationPolicy = {
        do {
            return try ValidationPolicy(trusting: [ForgedPKI(), chainOfEqualNames].flatMap(\.anchors))
        } catch {
            preconditionFailure("no policy: \(error)")
        }
    }()

    static func all() throws -> [WorkBoundsTests.Case] { try containers() + texts() + dumps() }

    // MARK: - Containers

    /// About the size at which they are built, in bytes. A debug build is slower by an order of magnitude.
    static let size: Int = {
        #if DEBUG
            40_000
        #else
            200_000
        #endif
    }()

    static func containers() throws -> [WorkBoundsTests.Case] {
        let unknown = ForgedAttribute(99, .octets([])).node.encoded
        let purchase = ForgedAttribute(17, .element(.set([]))).node
        let fat = BERNode.set((0..<256).map { ForgedAttribute(3_000 + $0, .octets([])).node })
        return try [
            ("certificates", container { $0.certificates = repeated([0x30, 0x00]) }),
            ("certificates as large as fit", container { $0.certificates = [repeatedName(count: size / 20)] }),
            ("SignerInfos", container { $0.signers = Array(repeating: $0.signers[0], count: size / 500) }),
            (
                "digest algorithms",
                container {
                    $0.digestAlgorithms = Array(repeating: DigestAlgorithm.sha256.identifier, count: size / 15)
                }
            ),
            ("attributes without a value", payload(attributes(unknown, size / 13))),
            (
                "one attribute repeated",
                payload(attributes(ForgedAttribute(2, .utf8String("a")).node.encoded, size / 13))
            ),
            ("empty purchases", payload(.set(Array(repeating: purchase, count: size / 13)))),
            (
                "purchases of 256 attributes",
                payload(.set(Array(repeating: ForgedAttribute(17, .element(fat)).node, count: size / 3_300)))
            ),
            ("an INTEGER", payload(.set([ForgedAttribute(1, .element(.integer(octets: giant))).node]))),
            ("a serial number", certificate { $0.serial = .integer(octets: giant) }),
            ("an object identifier", container { $0.contentType = [1, 2] + Array(repeating: 1, count: size) }),
            ("a text", payload(.set([ForgedAttribute(2, .utf8String(String(repeating: "é", count: size / 2))).node]))),
            ("a date", payload(.set([ForgedAttribute(12, .ia5String(String(repeating: "2", count: size))).node]))),
            (
                "a repeated marker extension",
                certificate {
                    $0.extraExtensions = Array(repeating: extensionOf(ChainTemplate.leafMarker), count: size / 25)
                }
            ),
            (
                "extensions",
                certificate { template in
                    template.extraExtensions = (0..<size / 25).map { extensionOf([1, 2, 3, UInt($0)]) }
                }
            ),
            ("a signer's name", certificate { $0.subject = longName }),
            ("an intermediate's name", intermediate { $0.subject = longName }),
            (
                "a modulus",
                certificate { $0.publicKeyInfo = ForgedKey.rsaPublicKeyInfo(modulus: giant, exponent: [1, 0, 1]) }
            ),
            ("nested constructed strings", nested([0x24, 0x80])),
            ("nested indefinite lengths", nested([0x30, 0x80])),
            ("a string in pieces of one byte", payload(.set([]), pieces: 1, padding: size / 5)),
            ("pieces without content", emptyPieces()),
            ("signed attributes", container { $0.signers[0].signedAttributes = manyAttributes }),
            ("intermediates of one name", equalNames()),
        ].map { WorkBoundsTests.Case($0.0, .validate, $0.1) }
    }

    private static let giant: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: size)

    private static func repeated(_ certificate: [UInt8]) -> [[UInt8]] { Array(repeating: certificate, count: size / 2) }

    private static func extensionOf(_ arcs: [UInt]) -> CertificateExtension {
        CertificateExtension(arcs, .sequence([]))
    }

    private static func attributes(_ one: [UInt8], _ count: Int) -> BERNode {
        BERNode.set([.verbatim(Array(repeatElement(one, count: count).joined()))])
    }

    private static var manyAttributes: SignerTemplate.SignedAttributes {
        var attributes = SignerTemplate.SignedAttributes()
        attributes.extra = (0..<size / 20).map { .sequence([.oid([1, 2, 3, UInt($0)]), .set([.boolean(true)])]) }
        return attributes
    }

    private static func container(_ edit: (inout MessageTemplate) -> Void) throws -> [UInt8] {
        try ForgedReceipt().signed(editing: edit).bytes
    }

    private static func payload(_ payload: BERNode, pieces: Int? = nil, padding: Int = 0) throws -> [UInt8] {
        var bytes = payload.encoded
        if padding > 0 {
            bytes = BERNode.set([ForgedAttribute(99, .octets([UInt8](repeating: 0, count: padding))).node]).encoded
        }
        return try ForgedMessage.signing(bytes, by: try ForgedPKI()) {
            if let pieces { $0.encoding = .indefinite(pieces: pieces) }
        }.bytes
    }

    private static func certificate(_ edit: @escaping (inout CertificateTemplate) -> Void) throws -> [UInt8] {
        let chain = try ForgedPKI { template in
            if var leaf = template.leaf {
                edit(&leaf)
                template.leaf = leaf
            }
        }
        return try ForgedReceipt().signed(by: chain).bytes
    }

    private static func intermediate(_ edit: @escaping (inout CertificateTemplate) -> Void) throws -> [UInt8] {
        let chain = try ForgedPKI { template in
            if var intermediate = template.intermediate {
                edit(&intermediate)
                template.intermediate = intermediate
            }
        }
        return try ForgedReceipt().signed(by: chain).bytes
    }

    private static let longName = DistinguishedName(parts: (0..<size / 17).map { _ in [.commonName("a")] })

    private static func repeatedName(count: Int) -> [UInt8] {
        let chain = try? ForgedPKI {
            $0.root.subject = DistinguishedName(parts: (0..<count).map { _ in [.commonName("a")] })
        }
        return chain?.root.der ?? []
    }

    private static func nested(_ opening: [UInt8]) -> [UInt8] {
        Array(repeatElement(opening, count: size / 2).joined())
    }

    private static func emptyPieces() throws -> [UInt8] {
        let content = [UInt8]([0x24, 0x80]) + repeatElement([0x04, 0x00], count: size / 4).joined() + [0, 0]
        return try ForgedReceipt().signed().damaged(.replace(.content, with: .verbatim(content))).bytes
    }

    // MARK: - Chains

    /// Seven intermediates that the root did sign, of one name and with keys that are not the one that signed the signer:
    /// every one of them has to be tried.
    private static let chainOfEqualNames: ForgedPKI = {
        do {
            return try ForgedPKI(.standard(seed: 1))
        } catch {
            preconditionFailure("no chain: \(error)")
        }
    }()

    private static func equalNames() throws -> [UInt8] {
        let chain = chainOfEqualNames
        guard let intermediate = chain.intermediate else { return [] }
        let others = try (0..<7).map { number in
            var template = intermediate.template
            template.serial = .integer(0x5000 + number)
            template.key = TestKeys.rsa2048(number % 2 == 0 ? 0 : 5)
            return try template.issue(under: chain.root).der
        }
        return try ForgedReceipt().signed(by: chain) { $0.certificates = [chain.leaf.der] + others }.bytes
    }

    // MARK: - Texts

    static func texts() throws -> [WorkBoundsTests.Case] {
        let base64 = try ForgedReceipt().signed().base64
        func fill(_ text: String, _ count: Int = size) -> [UInt8] {
            Array(String(repeating: text, count: count / text.utf8.count).utf8)
        }
        let head = Array(base64.utf8.prefix(1_000))
        return [
            ("white space", fill(" \n")), ("a receipt and white space", head + fill("\r\n")),
            ("spaces in a receipt", head.flatMap { [$0] + fill(" ", 200) }),
            ("padding", head + fill("=")), ("plus signs", head + fill("+")), ("escaped line ends", head + fill("\\n")),
            ("escapes", head + fill("\\u0041")), ("percent signs", head + fill("%20")),
            ("entities", head + fill("&#61;")),
            ("quotes", fill("\"")), ("semicolons", head + fill(";")), ("hyphens", fill("-") + head),
            ("PEM lines", fill("-----BEGIN PKCS7-----\n")), ("data URIs", fill("data:;base64,")), ("braces", fill("{")),
            ("brackets", fill("[")), ("hexadecimal", fill("3080")), ("UTF-16", [0xFF, 0xFE] + fill("M\0")),
            ("base64 of A", fill("A")), ("base64 of base64", fill("TUlJ")), ("a JWS", fill("eyJ.")),
            ("HTML", fill("<a>")), ("a property list", Array("{".utf8) + fill("\"a\"=\"b\";")),
            ("zeros", fill("\0")), ("emoji", fill("😀")), ("high bytes", [UInt8](repeating: 0xFF, count: size)),
        ].map { WorkBoundsTests.Case($0.0, .transport, $0.1) }
    }

    // MARK: - The tool

    static func dumps() throws -> [WorkBoundsTests.Case] {
        func fill(_ text: String, _ count: Int = size) -> [UInt8] {
            Array(String(repeating: text, count: count / text.utf8.count).utf8)
        }
        return [
            ("deep JSON arrays", fill("[")), ("deep JSON objects", fill("{\"a\":")),
            ("JSON with many members", Array("{".utf8) + fill("\"a\":\"b\",")),
            ("JSON of one long string", Array("{\"receipt-data\":\"".utf8) + fill("\\u0041")),
            ("nested strings", nestedStrings()), ("nested sequences", nested([0x30, 0x80])),
            (
                "empty purchases",
                try payload(.set(Array(repeating: ForgedAttribute(17, .element(.set([]))).node, count: size / 13)))
            ),
            (
                "attributes without a value",
                try payload(attributes(ForgedAttribute(99, .octets([])).node.encoded, size / 13))
            ),
            ("a signer's name", try certificate { $0.subject = longName }),
            (
                "control characters",
                try payload(.set([ForgedAttribute(2, .utf8String(String(repeating: "\u{1B}", count: size))).node]))
            ),
        ].map { WorkBoundsTests.Case($0.0, .dump, $0.1) }
    }

    /// OCTET STRINGs inside each other, as deep as the size allows.
    private static func nestedStrings() -> [UInt8] {
        var node = BERNode.octetString([UInt8](repeating: 0x30, count: 1_000))
        for _ in 0..<200 { node = .octetString(wrapping: node) }
        return node.encoded
    }
}
