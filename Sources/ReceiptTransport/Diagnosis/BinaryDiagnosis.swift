internal import ReceiptASN1

/// Says what bytes are that are no receipt: certificates, keys, compressed data, the payload alone.
package enum BinaryDiagnosis {
    /// - Parameter bytes: What the input stands for, not its text.
    package static func diagnose(_ bytes: Span<UInt8>) -> Diagnosis? {
        signature(bytes) ?? element(bytes)
    }

    static let request = Diagnosis(
        "certificate-request", "a request for a certificate (PKCS #10), not a receipt",
        "send the receipt of the app, which begins with MII in base64")
    static let publicKey = Diagnosis(
        "public-key", "a public key, not a receipt", "send the receipt of the app, which begins with MII in base64")

    private static func signature(_ bytes: Span<UInt8>) -> Diagnosis? {
        func compressed(_ name: String, _ command: String) -> Diagnosis {
            Diagnosis("compressed", "compressed data (\(name))", "decompress it first, such as with \(command)")
        }
        if bytes.hasText("BZh", at: 0) { return compressed("bzip2", "bunzip2") }
        if bytes.hasText("7z\u{00}", at: 0) { return compressed("7-Zip", "7z x") }
        if bytes.hasText("Rar!", at: 0) { return compressed("RAR", "unrar") }
        let first = bytes.count > 3 ? (bytes[0], bytes[1], bytes[2], bytes[3]) : (0, 0, 0, 0)
        switch first {
        case (0x1F, 0x8B, _, _): return compressed("gzip", "gunzip")
        case (0x50, 0x4B, 0x03, 0x04): return compressed("ZIP", "unzip")
        case (0x28, 0xB5, 0x2F, 0xFD): return compressed("zstd", "unzstd")
        case (0xFD, 0x37, 0x7A, 0x58): return compressed("xz", "unxz")
        case (0x37, 0x7A, 0xBC, 0xAF): return compressed("7-Zip", "7z x")
        case (0x04, 0x22, 0x4D, 0x18): return compressed("lz4", "lz4 -d")
        case (0x78, 0x01, _, _), (0x78, 0x5E, _, _), (0x78, 0x9C, _, _), (0x78, 0xDA, _, _):
            return compressed("zlib", "zlib's inflate")
        default: break
        }
        if bytes.hasText("bplist", at: 0) {
            return Diagnosis(
                "binary-property-list", "a binary property list, not a receipt",
                "take the receipt out of it (plutil -convert xml1 shows what is in it)")
        }
        if bytes.count > 8, bytes[0] == 0x30, bytes[1] == 0xEF || bytes[1] == 0xC2 || bytes[1] == 0x3F {
            return .binaryAsText
        }
        return bytes.count > 24 && bytes[0] == 0x30 && hasRemains(bytes) ? .binaryAsText : nil
    }

    /// The object identifier of signedData without its bytes above 127, or without their highest bits.
    private static func hasRemains(_ bytes: Span<UInt8>) -> Bool {
        let remains: [[UInt8]] = [
            [0x2A, 0x48, 0x0D, 0x01, 0x07, 0x02], [0x2A, 0x06, 0x48, 0x06, 0x77, 0x0D, 0x01, 0x07],
            [0x2A, 0x3F, 0x48, 0x3F, 0x3F, 0x0D, 0x01, 0x07],
        ]
        for offset in 2..<14 {
            for remain in remains where bytes.copy(offset..<(offset + remain.count)) == remain { return true }
        }
        return false
    }

    /// What a whole ASN.1 element is, by its first few elements.
    private static func element(_ bytes: Span<UInt8>) -> Diagnosis? {
        guard bytes.count > 8, let outer = Node(bytes, at: 0) else { return nil }
        if outer.tag == 0x31 {
            guard let row = Node(bytes, at: outer.content), row.tag == 0x30, let type = Node(bytes, at: row.content),
                type.tag == 0x02
            else { return nil }
            return Diagnosis(
                "payload-only", "the payload of a receipt without the container around it: nothing is signed",
                "send the whole receipt (PKCS #7), which begins with MII in base64")
        }
        guard outer.tag == 0x30, let first = Node(bytes, at: outer.content) else { return nil }
        let second = Node(bytes, at: first.end)
        switch first.tag {
        case 0x30: return sequence(bytes, first, second)
        case 0x02: return numbered(bytes, first, second)
        case 0x06: return named(bytes, first)
        default: return nil
        }
    }

    /// SEQUENCE { SEQUENCE …
    private static func sequence(_ bytes: Span<UInt8>, _ first: Node, _ second: Node?) -> Diagnosis? {
        guard let inner = Node(bytes, at: first.content) else { return nil }
        if inner.tag == 0x06, second?.tag == 0x03 { return publicKey }
        if inner.tag == 0x06, second?.tag == 0x04 { return .privateKey }
        guard second?.tag == 0x30 else { return nil }
        if inner.tag == 0xA0 { return certificate(bytes, first, inner) }
        guard inner.tag == 0x02, let next = Node(bytes, at: inner.end), next.tag == 0x30 else { return nil }
        // A request has its subject here, a certificate of version 1 an algorithm.
        return Node(bytes, at: next.content)?.tag == 0x06 ? certificate(bytes, first, nil) : request
    }

    private static func certificate(_ bytes: Span<UInt8>, _ body: Node, _ version: Node?) -> Diagnosis {
        var names: [String] = []
        var times: [String] = []
        var position = version?.end ?? body.content
        // serialNumber, signature, issuer, validity, subject (RFC 5280 section 4.1).
        for index in 0..<5 {
            guard let node = Node(bytes, at: position) else { break }
            if index == 2 || index == 4 { names.append(commonName(bytes, node)) }
            if index == 3, let from = Node(bytes, at: node.content), let to = Node(bytes, at: from.end) {
                times = [date(bytes, from), date(bytes, to)]
            }
            position = node.end
        }
        let subject = names.count > 1 ? names[1] : ""
        let life = times.count == 2 ? ", valid from \(times[0]) to \(times[1])" : ""
        return Diagnosis(
            "certificate", "a certificate" + (subject.isEmpty ? "" : " of \"\(subject)\"") + life + ", not a receipt",
            "pass certificates with --root or --intermediate; the receipt is a text of its own")
    }

    /// The last text in a name, which is its common name as a rule.
    private static func commonName(_ bytes: Span<UInt8>, _ name: Node) -> String {
        var text = ""
        var position = name.content
        while position < name.end, let set = Node(bytes, at: position), set.end > position {
            if let pair = Node(bytes, at: set.content), let type = Node(bytes, at: pair.content),
                let value = Node(bytes, at: type.end), type.end - type.content == 3, bytes[type.end - 1] == 3
            {
                text = ""
                for scalar in String(decoding: bytes.copy(value.content..<value.end), as: UTF8.self).unicodeScalars
                    .prefix(64)
                {
                    text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
                }
            }
            position = set.end
        }
        return text
    }

    /// The day of a UTCTime or GeneralizedTime.
    private static func date(_ bytes: Span<UInt8>, _ node: Node) -> String {
        let digits = String(decoding: bytes.copy(node.content..<min(node.end, node.content + 8)), as: UTF8.self)
        let day = node.tag == 0x17 ? (digits < "50" ? "20" : "19") + digits.prefix(6) : digits.prefix(8)
        guard day.count == 8, day.allSatisfy({ $0.isNumber }) else { return "?" }
        return "\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.dropFirst(6))"
    }

    /// SEQUENCE { INTEGER …
    private static func numbered(_ bytes: Span<UInt8>, _ first: Node, _ second: Node?) -> Diagnosis? {
        guard first.end - first.content == 1, let second else { return nil }
        switch (bytes[first.content], second.tag) {
        case (3, 0x30):
            return Diagnosis(
                "pkcs12", "a PKCS #12 file (.p12, .pfx): a certificate with its private key, not a receipt",
                "keep it secret, and replace the key if it has been sent anywhere; the receipt begins with MII in base64"
            )
        case (0, 0x30), (0, 0x02), (1, 0x04), (1, 0x30): return .privateKey
        default: return nil
        }
    }

    /// ContentInfo of another type than signedData.
    private static func named(_ bytes: Span<UInt8>, _ type: Node) -> Diagnosis? {
        let prefix: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
        guard type.end - type.content == 9 else { return nil }
        for index in prefix.indices where bytes[type.content + index] != prefix[index] { return nil }
        guard bytes[type.end - 1] != 2 else { return nil }
        return Diagnosis(
            "other-cms",
            bytes[type.end - 1] == 3 ? "an encrypted CMS message, not a receipt" : "a CMS message that is not signed",
            "send the receipt of the app, which is signed and not encrypted")
    }

    /// One element whose length is definite.
    private struct Node {
        var tag: UInt8
        var content: Int
        var end: Int

        init?(_ bytes: Span<UInt8>, at position: Int) {
            guard position >= 0, position + 2 <= bytes.count else { return nil }
            let rest = bytes.extracting(position...)
            guard case .ends(let end) = OuterElement(measuring: rest), end >= 2 else { return nil }
            tag = bytes[position]
            let octets = bytes[position + 1] > 0x80 ? Int(bytes[position + 1] & 0x7F) : 0
            content = position + 2 + octets
            self.end = position + end
            guard content <= self.end, bytes[position + 1] != 0x80 else { return nil }
        }
    }
}

extension Diagnosis {
    static let privateKey = Diagnosis(
        "private-key", "a private key, not a receipt: whoever has it can act in its owner's name",
        "keep it secret; if it has been sent or logged anywhere, revoke it and make a new one")
    static let binaryAsText = Diagnosis(
        "binary-as-text",
        "a receipt's bytes that were read as text, which has destroyed some of them: it cannot be undone",
        "send base64 of the receipt's bytes; never turn the bytes into a string first")
}
