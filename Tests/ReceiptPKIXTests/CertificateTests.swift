import OracleSupport
import ReceiptASN1
import ReceiptForge
import ReceiptPKIX
import TestSupport
import Testing

/// Certificates, decoded field by field as libcrypto decodes them.
@Suite struct CertificateTests {
    /// Ours in the lines of the oracle.
    static func describe(_ bytes: [UInt8]) throws(ReceiptDecodingError) -> [String] {
        let span = bytes.span
        let certificate = try span.readCertificate(0..<bytes.count, limits: .default)
        var lines = ["version \(certificate.version)", "serial \(decimal(bytes[certificate.serialNumber]))"]
        lines += ["from \(certificate.notBefore)", "until \(certificate.notAfter)"]
        lines += [
            "issuer \(span.readableName(certificate.issuer))", "subject \(span.readableName(certificate.subject))",
        ]
        switch certificate.publicKey {
        case .rsa(let modulus, let exponent):
            let numbers = [modulus, exponent].map { hexText(bytes[$0]).uppercased() }
            lines.append("key 1.2.840.113549.1.1.1 \(numbers[0]) \(numbers[1])")
        case .ellipticCurve(let curve, let point):
            let name = curve == .p256 ? "prime256v1" : "secp384r1"
            lines.append("key 1.2.840.10045.2.1 \(name) \(hexText(bytes[point]))")
        case .other(let algorithm): lines.append("key \(algorithm)")
        }
        for item in certificate.extensions {
            let critical = item.isCritical ? "critical" : "optional"
            lines.append("extension \(item.identifier) \(critical) \(hexText(bytes[item.value]))")
        }
        lines.append("signed \(certificate.signatureAlgorithm.algorithm) \(hexText(bytes[certificate.signature]))")
        return lines
    }

    /// Two's complement octets in decimal, by schoolbook.
    private static func decimal(_ octets: ArraySlice<UInt8>) -> String {
        let isNegative = octets.first.map { $0 >= 0x80 } ?? false
        var magnitude = octets.map { isNegative ? ~$0 : $0 }
        if isNegative {
            for index in magnitude.indices.reversed() {
                magnitude[index] &+= 1
                if magnitude[index] != 0 { break }
            }
            if magnitude.allSatisfy({ $0 == 0 }) { magnitude.insert(1, at: 0) }
        }
        var digits: [Int] = [0]
        for octet in magnitude {
            var carry = Int(octet)
            for index in digits.indices {
                carry += digits[index] * 256
                digits[index] = carry % 10
                carry /= 10
            }
            while carry > 0 {
                digits.append(carry % 10)
                carry /= 10
            }
        }
        return (isNegative ? "-" : "") + digits.reversed().map(String.init).joined()
    }

    /// Apple's own, those inside genuine receipts, and forged ones of every generation and of odd forms.
    static let samples: [(name: String, der: [UInt8])] = {
        var samples = Corpus.paths("certificates", suffix: ".cer").map { ($0, (try? Corpus.bytes($0)) ?? []) }
        for path in Corpus.paths("receipts", suffix: ".der") {
            guard var bytes = try? Corpus.bytes(path),
                let signedData = try? SignedData.decode(&bytes, limits: .default)
            else { continue }
            for range in signedData.certificates { samples.append((path, Array(bytes[range]))) }
        }
        for generation in CertificateGeneration.all {
            for certificate in (try? ForgedPKI(.generation(generation)))?.certificates ?? [] {
                samples.append((generation.name, certificate))
            }
        }
        samples += odd.compactMap { edit in
            var template = ChainTemplate.standard().leaf
            guard template != nil else { return nil }
            edit.edit(&template!)
            return (edit.name, (try? template?.issue(under: nil).der) ?? [])
        }
        return samples
    }()

    private static let odd: [(name: String, edit: @Sendable (inout CertificateTemplate) -> Void)] = [
        ("serial 0", { $0.serial = .integer(0) }),
        ("serial -1", { $0.serial = .integer(-1) }),
        ("serial -32768", { $0.serial = .integer(-32_768) }),
        ("a long serial", { $0.serial = .integer(magnitude: [UInt8](repeating: 0xFF, count: 20)) }),
        (
            "version 1",
            {
                $0.version = 1
                $0.basicConstraints = nil
                $0.keyUsage = nil
                $0.markers = []
                $0.subjectKeyIdentifier = .absent
                $0.authorityKeyIdentifier = .absent
            }
        ),
        (
            "an elliptic key",
            {
                $0.key = TestKeys.ec384
                $0.signingKey = TestKeys.rsa2048(1)
            }
        ),
        ("e = 3", { $0.key = TestKeys.rsa2048Exponent3 }),
        ("2049", { $0.notAfter = CertificateTime("2049-12-31T23:59:59Z") }),
        ("2050", { $0.notAfter = CertificateTime("2050-01-01T00:00:00Z") }),
        ("1950", { $0.notBefore = CertificateTime("1950-01-01T00:00:00Z") }),
        ("9999", { $0.notAfter = CertificateTime("9999-12-31T23:59:59Z") }),
        (
            "all kinds of names",
            {
                $0.subject = DistinguishedName(
                    .country("DE"), .organization("Müller & Söhne"), .emailAddress("a@example.com"),
                    .init([2, 5, 4, 8], .utf8String("Bayern")), .init([2, 5, 4, 7], .printableString("M")),
                    .init([2, 5, 4, 5], .printableString("12")),
                    .init([1, 3, 6, 1, 4, 1, 99_999, 1], .utf8String("x")),
                    .init([0, 9, 2342, 19_200_300, 100, 1, 25], .ia5String("example")),
                    .commonName("\u{1F600}"))
            }
        ),
        ("an empty name", { $0.subject = DistinguishedName(parts: []) }),
        (
            "BMPString and TeletexString",
            {
                let bmp = BERNode(BERNode.Tag(.universal, 30), .bytes([0, 0x41, 0x20, 0xAC]))
                let teletex = BERNode(BERNode.Tag(.universal, 20), .bytes([0x41, 0xE9]))
                $0.subject = DistinguishedName(.init([2, 5, 4, 3], bmp), .init([2, 5, 4, 10], teletex))
            }
        ),
    ]

    @Test(arguments: samples.indices)
    func libcryptoReadsTheSame(index: Int) throws {
        let (name, der) = Self.samples[index]
        let ours = try Self.describe(der)
        #expect(ours == Oracle.describeCertificate(der), "\(name)")
        // The outline, which finds certificates without decoding them, says the same.
        let certificate = try der.span.readCertificate(0..<der.count, limits: .default)
        let outline = try der.span.readCertificateOutline(0..<der.count)
        #expect(outline.serialNumber == certificate.serialNumber)
        #expect(outline.issuer == certificate.issuer)
        #expect(outline.subject == certificate.subject)
        #expect(der[certificate.tbsCertificate].first == 0x30)
    }

    /// Damaged certificates: what we take, libcrypto takes, and reads the same.
    @Test(arguments: [UInt64](0..<12))
    func libcryptoTakesWhatWeTake(seed: UInt64) throws {
        var random = ForgeRandom(seed: seed)
        let samples = Self.samples.suffix(40)
        var accepted = 0
        for _ in 0..<150 {
            var der = try #require(samples.randomElement(using: &random)).der
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 0..<der.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: der[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 1: der[place] = [0, 1, 2, 5, 0x0C, 0x13, 0x30, 0x31, 0x80].randomElement(using: &random) ?? 0
                default: der[place] &+= 1
                }
            }
            do throws(ReceiptDecodingError) {
                let ours = try Self.describe(der)
                accepted += 1
                let theirs = Oracle.describeCertificate(der)
                // Names are for people only, and are shown differently where their text is strange.
                let isName = { (line: String) in line.hasPrefix("issuer") || line.hasPrefix("subject") }
                let differs = theirs.map { $0.filter { !isName($0) } } != ours.filter { !isName($0) }
                if differs { Issue.record("\(hexText(der))") }
            } catch {
                if error.offset < 0 || error.offset > der.count { Issue.record("\(error)") }
            }
        }
        #expect(accepted > 20)
    }

    // MARK: - Errors

    /// A change to a leaf, and the error that it must give.
    static let faults: [(name: String, path: [Int], node: BERNode?, expected: String)] = [
        ("not a SEQUENCE", [], .set([]), "unexpected-tag Certificate"),
        ("nothing in it", [], .sequence([]), "missing-element Certificate.tbsCertificate"),
        ("TBSCertificate is a SET", [0], .set([]), "unexpected-tag Certificate.tbsCertificate"),
        ("version NULL", [0, 0, 0], .null, "unexpected-tag Certificate.version"),
        ("version 1, encoded", [0, 0, 0], .integer(0), "encoded-default Certificate.version"),
        ("version 4", [0, 0, 0], .integer(3), "unsupported-version Certificate.version"),
        ("version -1", [0, 0, 0], .integer(-2), "unsupported-version Certificate.version"),
        ("serial NULL", [0, 1], .null, "unexpected-tag Certificate.serialNumber"),
        ("serial empty", [0, 1], .integer(octets: []), "invalid-integer Certificate.serialNumber"),
        ("serial not minimal", [0, 1], .integer(octets: [0, 1]), "invalid-integer Certificate.serialNumber"),
        ("inner algorithm NULL", [0, 2], .null, "unexpected-tag Certificate.signature"),
        ("inner algorithm empty", [0, 2], .sequence([]), "missing-element Certificate.signature"),
        ("issuer NULL", [0, 3], .null, "unexpected-tag Certificate.issuer"),
        ("an issuer's part is empty", [0, 3, 0], .set([]), "missing-element Certificate.issuer"),
        ("validity NULL", [0, 4], .null, "unexpected-tag Certificate.validity"),
        ("notBefore NULL", [0, 4, 0], .null, "unexpected-tag Certificate.validity.notBefore"),
        ("notBefore no date", [0, 4, 0], .utcTime("250230000000Z"), "invalid-time Certificate.validity.notBefore"),
        ("notAfter without Z", [0, 4, 1], .utcTime("250228000000"), "invalid-time Certificate.validity.notAfter"),
        ("subject a number", [0, 5], .integer(5), "unexpected-tag Certificate.subject"),
        ("key NULL", [0, 6], .null, "unexpected-tag Certificate.subjectPublicKeyInfo"),
        ("key bits NULL", [0, 6, 1], .null, "unexpected-tag Certificate.subjectPublicKeyInfo"),
        (
            "key with unused bits", [0, 6, 1], .bitString([0x80], unusedBits: 7),
            "invalid-bit-string Certificate.subjectPublicKeyInfo"
        ),
        ("key bits empty", [0, 6, 1], .bitString([]), "missing-element Certificate.subjectPublicKeyInfo"),
        (
            "negative modulus", [0, 6, 1], .bitString(BERNode.sequence([.integer(-5), .integer(3)]).encoded),
            "invalid-integer RSAPublicKey.modulus"
        ),
        (
            "negative exponent", [0, 6, 1], .bitString(BERNode.sequence([.integer(5), .integer(-3)]).encoded),
            "invalid-integer RSAPublicKey.publicExponent"
        ),
        (
            "a third number", [0, 6, 1], .bitString(BERNode.sequence([.integer(5), .integer(3), .null]).encoded),
            "trailing-bytes RSAPublicKey.publicExponent"
        ),
        ("extensions in a SET", [0, 7, 0], .set([]), "unexpected-tag Certificate.extensions"),
        (
            "an extension without a value", [0, 7, 0, 0], .sequence([.oid([1, 2, 3])]),
            "missing-element Certificate.extensions"
        ),
        (
            "critical FALSE, encoded", [0, 7, 0, 0],
            .sequence([.oid([1, 2, 3]), .boolean(false), .octetString([])]), "encoded-default Certificate.extensions"
        ),
        (
            "critical 1", [0, 7, 0, 0],
            .sequence([.oid([1, 2, 3]), BERNode(BERNode.Tag(.universal, 1), .bytes([1])), .octetString([])]),
            "invalid-boolean Certificate.extensions"
        ),
        (
            "an extension twice", [0, 7, 0, 0], .sequence([.oid([2, 5, 29, 15]), .octetString([])]),
            "duplicate-extension Certificate.extensions"
        ),
        ("outer algorithm NULL", [1], .null, "unexpected-tag Certificate.signatureAlgorithm"),
        ("signature NULL", [2], .null, "unexpected-tag Certificate.signatureValue"),
        (
            "signature with unused bits", [2], .bitString([0x80], unusedBits: 7),
            "invalid-bit-string Certificate.signatureValue"
        ),
        ("something behind the signature", [2], nil, "trailing-bytes Certificate"),
    ]

    @Test(arguments: faults.indices)
    func fault(index: Int) throws {
        let row = Self.faults[index]
        var tree = try BERNode(parsing: try ForgedPKI().leaf.der)
        if let node = row.node { tree[row.path] = node } else { tree.children.append(.null) }
        let bytes = tree.encoded
        let error = #expect(throws: ReceiptDecodingError.self) {
            try bytes.span.readCertificate(0..<bytes.count, limits: .default)
        }
        // The field may be named by the part of it that was read last.
        let found = "\(error?.code.rawValue ?? "") \(error?.field ?? "")"
        let word = row.expected.split(separator: " ")
        #expect(found.hasPrefix(word[0] + " "), "\(row.name): \(found)")
        #expect(found == row.expected || word[1].hasPrefix("RSAPublicKey"), "\(row.name): \(found)")
    }

    @Test func extensionsLimit() throws {
        var plain = try #require(ChainTemplate.standard().leaf)
        plain.markers = []
        let issued = try plain.issue(under: nil).der
        let own = try issued.span.readCertificate(0..<issued.count, limits: .default).extensions.count
        for count in [32, 33] {
            var template = plain
            template.extraExtensions = (0..<count - own).map { CertificateExtension([1, 2, 3, UInt($0)], .null) }
            let bytes = try template.issue(under: nil).der
            do throws(ReceiptDecodingError) {
                let certificate = try bytes.span.readCertificate(0..<bytes.count, limits: .default)
                #expect(certificate.extensions.count == 32)
                #expect(count == 32)
            } catch {
                #expect(error.code == .tooManyExtensions)
                #expect(count == 33)
            }
        }
    }

    // MARK: - Values of extensions

    static let constraints: [(hex: String, expected: String)] = [
        ("30 00", "false nil"), ("30 03 01 01 FF", "true nil"), ("30 06 01 01 FF 02 01 00", "true 0"),
        ("30 06 01 01 FF 02 01 7F", "true 127"), ("30 03 02 01 05", "false 5"),
        ("30 03 01 01 00", "encoded-default"), ("30 03 01 01 01", "invalid-boolean"),
        ("30 06 01 01 FF 02 01 FF", "invalid-extension"), ("30 04 01 01 FF 05", "truncated"),
        ("30 05 01 01 FF 05 00", "unexpected-tag"), ("30 08 01 01 FF 02 01 00 05 00", "trailing-bytes"),
        ("30 00 00", "trailing-bytes"), ("31 00", "unexpected-tag"), ("", "missing-element"),
        ("30 0E 01 01 FF 02 09 00 FF FF FF FF FF FF FF FF", "integer-too-large"),
    ]

    @Test(arguments: constraints.indices)
    func basicConstraints(index: Int) {
        let bytes = hex(Self.constraints[index].hex)
        var result = ""
        do throws(ReceiptDecodingError) {
            let value = try bytes.span.readBasicConstraints(0..<bytes.count)
            result = "\(value.isCA) \(value.pathLength.map { "\($0)" } ?? "nil")"
        } catch {
            result = error.code.rawValue
        }
        #expect(result == Self.constraints[index].expected)
    }

    static let usages: [(hex: String, expected: String)] = [
        ("03 02 07 80", "1"), ("03 02 06 40", "2"), ("03 02 02 04", "32"), ("03 02 01 06", "96"),
        ("03 02 00 FF", "255"), ("03 03 07 00 80", "256"), ("03 03 07 80 80", "257"), ("03 01 00", "0"),
        ("03 04 00 80 00 01", "1"), ("03 02 07 81", "invalid-bit-string"), ("03 00", "invalid-bit-string"),
        ("03 02 07 80 00", "trailing-bytes"), ("04 02 07 80", "unexpected-tag"),
    ]

    @Test(arguments: usages.indices)
    func keyUsage(index: Int) {
        let bytes = hex(Self.usages[index].hex)
        var result = ""
        do throws(ReceiptDecodingError) {
            result = "\(try bytes.span.readKeyUsage(0..<bytes.count).rawValue)"
        } catch {
            result = error.code.rawValue
        }
        #expect(result == Self.usages[index].expected)
    }

    /// Names that are not names: shown as far as they go, never an error.
    @Test func strangeNames() {
        let rows: [(hex: String, text: String)] = [
            ("30 00", ""), ("31 00", "?=malformed"), ("", "?=malformed"), ("30 02 30 00", "?=malformed"),
            ("30 0C 31 0A 30 08 06 03 55 04 03 0C 01 41", "CN=A"),
            ("30 0C 31 0A 30 08 06 03 55 04 03 02 01 41", "CN=#41"),
            ("30 0C 31 0A 30 08 06 03 55 04 03 0C 01 FF", "CN=#ff"),
            ("30 0C 31 0A 30 08 06 03 55 04 63 13 01 41", "2.5.4.99=A"),
            ("30 0E 31 0A 30 08 06 03 55 04 03 0C 01 41 31 05", "?=malformed, CN=A"),
            (
                "30 82 04 12 31 82 04 0E 30 82 04 0A 06 03 55 04 03 0C 82 04 01"
                    + String(repeating: " 41", count: 1_025),
                "CN=#" + String(repeating: "41", count: 16) + "\u{2026}"
            ),
        ]
        for row in rows {
            let bytes = hex(row.hex)
            #expect(bytes.span.readableName(0..<bytes.count) == row.text)
        }
    }
}
