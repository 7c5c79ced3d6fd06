import ReceiptForge

/// The container's own bytes: DER, the BER that is taken for it, and everything that is neither.
extension Recipe {
    static func encoding(_ group: inout VectorGroup) throws {
        let plain = try message()
        group.valid("der", "A receipt as the App Store writes it.", plain.bytes)
        try validBER(&group, plain)
        try lengths(&group, plain)
        try endsOfContents(&group)
        try tagsAndElements(&group, plain)
        try truncations(&group, plain)
        try numbersAndIdentifiers(&group, plain)
        try limits(&group, plain)
    }

    private static func validBER(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        for pieces in [nil, 1, 100, 1_000] as [Int?] {
            let message = try message { $0.encoding = .indefinite(pieces: pieces) }
            let name = pieces.map { "ber-pieces-of-\($0)" } ?? "ber-one-piece"
            group.valid(name, "Indefinite lengths, the content a constructed OCTET STRING.", message.bytes)
        }
        let places: [(String, Place)] = [
            ("content-info", .contentInfo), ("signed-data", .signedData), ("digest-algorithms", .digestAlgorithms),
            ("encapsulated-content", .encapsulatedContent), ("certificates", .certificates), ("signers", .signers),
            ("signer", .signer(0)),
        ]
        for (name, place) in places {
            let bytes = try plain.damaged(.indefiniteLength(place)).bytes
            group.valid("ber-indefinite-\(name)", "One indefinite length, in a message that is DER otherwise.", bytes)
        }
        for (name, place) in [("version", Place.version), ("content", .content), ("content-info", .contentInfo)] {
            let bytes = try plain.damaged(.nonMinimalLength(place)).bytes
            group.valid("ber-long-length-\(name)", "A length in more octets than it needs, as BER allows.", bytes)
        }
        let half = plain.payload.count / 2
        let halves = [Array(plain.payload[..<half]), Array(plain.payload[half...])]
        let strings: [(String, BERNode)] = [
            ("definite", .octetString(chunks: halves, length: .minimal)),
            ("empty-pieces", .octetString(chunks: [[], halves[0], [], halves[1], []])),
            (
                "nested",
                BERNode(
                    .init(.universal, 4, constructed: true),
                    .nodes([.octetString(chunks: [halves[0]]), .octetString(chunks: [halves[1]], length: .minimal)]))
            ),
        ]
        for (name, string) in strings {
            let bytes = try plain.damaged(.replace(.content, with: string)).bytes
            group.valid("ber-constructed-\(name)", "The content in pieces, in a message that is DER otherwise.", bytes)
        }
        group.valid(
            "set-not-sorted", "The payload's SET in no order: signed so, and taken so.",
            try plain.damaged(.reverse(.payload), .sign()).bytes)
    }

    private static func lengths(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        let version = try Place.version.offset(in: plain.bytes)
        let rows: [(String, String, [UInt8], String)] = [
            ("length-reserved", "reserved-length", [0xFF], "The length octet FF, which is reserved."),
            (
                "length-of-eight", "length-too-large", [0x88] + [UInt8](repeating: 0xFF, count: 8),
                "A length of eight FF octets, which overflows a 64-bit sum."
            ),
            ("length-of-five", "length-too-large", [0x85, 1, 0, 0, 0, 0], "A length of 2^32."),
            (
                "length-of-126", "length-too-large", [0xFE] + [UInt8](repeating: 1, count: 126),
                "A length of 126 octets."
            ),
            ("indefinite-primitive", "indefinite-length", [0x80], "An indefinite length in a primitive element."),
        ]
        for (name, code, octets, comment) in rows {
            group.undecodable(
                name, code, at: version + 1, openssl: "fail", comment,
                try plain.damaged(.wrongLength(.version, octets)).bytes)
        }
        group.undecodable(
            "length-beyond-the-end", "truncated", at: version, openssl: "fail",
            "An element inside that claims more bytes than there are.",
            try plain.damaged(.wrongLength(.version, [0x84, 0x7F, 0xFF, 0xFF, 0xFF])).bytes)
        let payload = try Place.payload.offset(in: plain.bytes)
        group.undecodable(
            "payload-length-not-minimal", "non-minimal-length", at: payload + 1, openssl: "ok",
            "BER inside the payload, where nothing but DER is signed.",
            try plain.damaged(.nonMinimalLength(.payload), .sign()).bytes)
        group.undecodable(
            "payload-indefinite", "indefinite-length", at: payload + 1, openssl: "ok",
            "An indefinite length inside the payload.", try plain.damaged(.indefiniteLength(.payload), .sign()).bytes)
        let attribute = try Place.attribute(2).offset(in: plain.bytes)
        group.undecodable(
            "attribute-length-not-minimal", "non-minimal-length", at: attribute + 1, openssl: "ok",
            "An attribute's length in the long form.",
            try plain.damaged(.nonMinimalLength(.attribute(2), octets: 1), .sign()).bytes)
    }

    private static func endsOfContents(_ group: inout VectorGroup) throws {
        let ber = try message { $0.encoding = .indefinite(pieces: 200) }
        let places: [(String, Place)] = [
            ("content-info", .contentInfo), ("signed-data", .signedData),
            ("encapsulated-content", .encapsulatedContent), ("content", .content),
        ]
        for (name, place) in places {
            let bytes = try ber.damaged(.missingEndOfContents(place)).bytes
            group.undecodable(
                "missing-end-of-contents-\(name)", "missing-end-of-contents", at: bytes.count, openssl: "fail",
                "Two zero octets are missing, so that the outermost element never ends.", bytes)
        }
        let plain = try message()
        group.undecodable(
            "two-zeros-for-version", "unexpected-end-of-contents",
            at: try Place.version.offset(in: plain.bytes), openssl: "fail",
            "An end-of-contents where no indefinite length is open.",
            try plain.damaged(.replace(.version, with: .verbatim([0, 0]))).bytes)
        group.undecodable(
            "two-zeros-behind", "unexpected-end-of-contents", at: plain.bytes.count, openssl: "fail",
            "An end-of-contents behind a message of definite length.", plain.bytes + [0, 0])
        let extra = try ber.damaged(.append([0, 0])).bytes
        group.undecodable(
            "one-end-too-many", "unexpected-end-of-contents", at: ber.bytes.count, openssl: "fail",
            "One end-of-contents more than indefinite lengths.", extra)
        group.undecodable(
            "definite-zero", "missing-element", at: 2, openssl: "fail",
            "30 00: an empty SEQUENCE, not one of indefinite length.", [0x30, 0])
        let oneZero = try ber.damaged(.dropLast(1)).bytes
        group.undecodable(
            "half-an-end-of-contents", "truncated", at: oneZero.count - 1, openssl: "fail",
            "The last of the two zero octets is cut off.", oneZero)
    }

    private static func tagsAndElements(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        let tags: [(String, Place, UInt8)] = [
            ("content-info", .contentInfo, 0x31), ("content-type", .contentType, 0x04),
            ("signed-data", .signedData, 0x31), ("version", .version, 0x04),
            ("digest-algorithms", .digestAlgorithms, 0x30), ("encapsulated-content", .encapsulatedContent, 0x31),
            ("content", .content, 0x0C), ("signers", .signers, 0x30), ("signer", .signer(0), 0x31),
            ("signature", .signature(0), 0x03), ("signer-identifier", .inside(.signer(0), [1]), 0x31),
        ]
        for (name, place, octet) in tags {
            group.undecodable(
                "wrong-tag-\(name)", "unexpected-tag", at: try place.offset(in: plain.bytes), openssl: "fail",
                "The element is there, under another tag.", try plain.damaged(.wrongTag(place, octet)).bytes)
        }
        let version = try Place.version.offset(in: plain.bytes)
        group.undecodable(
            "high-tag-number", "unsupported-tag", at: version, openssl: "fail", "A tag number in several octets.",
            try plain.damaged(.replace(.version, with: .verbatim([0x1F, 0x1F, 1, 1]))).bytes)
        let missing: [(String, Place, Place, String)] = [
            ("version", .version, .version, "unexpected-tag"),
            ("digest-algorithms", .digestAlgorithms, .digestAlgorithms, "unexpected-tag"),
        ]
        for (name, place, found, code) in missing {
            group.undecodable(
                "missing-\(name)", code, at: try found.offset(in: plain.bytes), openssl: "fail",
                "The element is not there.", try plain.damaged(.remove(place)).bytes)
        }
        let unsigned = try plain.damaged(.remove(.signature(0))).bytes
        group.undecodable(
            "missing-signature", "missing-element", at: unsigned.count, openssl: "fail",
            "The last SignerInfo ends before its signature.", unsigned)
        group.undecodable(
            "missing-signers", "missing-element", at: try Place.signers.offset(in: plain.bytes), openssl: "fail",
            "SignedData ends before the signers.", try plain.damaged(.remove(.signers)).bytes)
        let detached = try message { $0.hasContent = false }
        group.undecodable(
            "missing-content", "missing-content",
            at: try Place.encapsulatedContent.offset(in: detached.bytes) + 2 + 11, openssl: "fail",
            "A detached signature: there is no receipt in it.", detached.bytes)
        let added: [(String, Place)] = [
            ("content-info", .contentInfo), ("signed-data", .signedData), ("signer", .signer(0)),
            ("encapsulated-content", .encapsulatedContent),
        ]
        for (name, place) in added {
            let end = try place.offset(in: plain.bytes) + plain.element(place).encoded.count
            group.undecodable(
                "trailing-in-\(name)", "trailing-bytes", at: end, openssl: "fail",
                "One element more than the grammar has.",
                try plain.damaged(.add(.integer(0), to: place)).bytes)
        }
        group.undecodable(
            "trailing-byte", "trailing-bytes", at: plain.bytes.count, openssl: "fail", "A byte behind the message.",
            plain.bytes + [0x41])
        group.undecodable(
            "two-messages", "trailing-bytes", at: plain.bytes.count, openssl: "fail",
            "Two receipts, one behind the other.", plain.bytes + plain.bytes)
    }

    private static func truncations(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        group.undecodable("no-bytes", "missing-element", at: 0, openssl: "fail", "Nothing.", [])
        group.undecodable("one-byte", "truncated", at: 0, openssl: "fail", "Half a header.", [0x30])
        let count = plain.bytes.count
        for (name, kept) in [("header", 4), ("half", count / 2), ("one-byte", count - 1)] {
            group.undecodable(
                "cut-\(name == "one-byte" ? "by-one-byte" : "after-\(name)")", "truncated", at: 0, openssl: "fail",
                "The end is missing.", Array(plain.bytes.prefix(kept)))
        }
        let ber = try message { $0.encoding = .indefinite(pieces: nil) }
        let signers = try Place.signers.offset(in: ber.bytes)
        group.undecodable(
            "ber-cut-between-elements", "missing-end-of-contents", at: signers, openssl: "fail",
            "BER that ends where an element may begin: no length says that anything is missing.",
            Array(ber.bytes.prefix(signers)))
        group.undecodable(
            "ber-cut-inside-an-element", "truncated", at: signers, openssl: "fail",
            "BER that ends inside the signers.", Array(ber.bytes.prefix(signers + 40)))
    }

    private static func numbersAndIdentifiers(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        let version = try Place.version.offset(in: plain.bytes)
        let versions: [(String, String, [UInt8], Int, String)] = [
            ("version-empty", "invalid-integer", [], 2, "ok"),
            ("version-not-minimal", "invalid-integer", [0, 1], 2, "fail"),
            ("version-of-nine-octets", "integer-too-large", [1] + [UInt8](repeating: 0, count: 8), 2, "fail"),
            ("version-six", "unsupported-version", [6], 0, "ok"),
            ("version-negative", "unsupported-version", [0xFF], 0, "ok"),
        ]
        for (name, code, octets, delta, openssl) in versions {
            group.undecodable(
                name, code, at: version + delta, openssl: openssl, "SignedData's version.",
                try plain.damaged(.replace(.version, with: .integer(octets: octets))).bytes)
        }
        group.valid(
            "version-three", "Another version of SignedData that RFC 5652 knows.",
            try plain.damaged(.replace(.version, with: .integer(3))).bytes)
        group.undecodable(
            "signer-version-six", "unsupported-version", at: try Place.signer(0).offset(in: plain.bytes) + 4,
            openssl: "ok", "SignerInfo's version.",
            try plain.damaged(.replace(.inside(.signer(0), [0]), with: .integer(6))).bytes)
        let type = try Place.contentType.offset(in: plain.bytes)
        let identifiers: [(String, [UInt8], Int)] = [
            ("empty", [], 2), ("unfinished", [0x2A, 0x86], 2), ("padded", [0x2A, 0x80, 0x06], 3),
            ("long", [UInt8](repeating: 0x2A, count: 33), 2),
        ]
        for (name, octets, delta) in identifiers {
            group.undecodable(
                "identifier-\(name)", "invalid-object-identifier", at: type + delta, openssl: "fail",
                "The content type is no object identifier, or a longer one than any in use.",
                try plain.damaged(.replace(.contentType, with: BERNode(.init(.universal, 6), .bytes(octets)))).bytes)
        }
        let ber = try message { $0.encoding = .indefinite(pieces: nil) }
        let piece = Place.inside(.content, [0])
        group.undecodable(
            "piece-of-another-type", "invalid-string-segment", at: try piece.offset(in: ber.bytes), openssl: "ok",
            "A UTF8String among the pieces of the content.", try ber.damaged(.wrongTag(piece, 0x0C)).bytes)
    }

    private static func limits(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        let certificates = plain.chain.certificates
        let eight = try message { $0.certificates = (0..<8).map { certificates[$0 % 3] } }
        group.valid("eight-certificates", "As many certificates as the limit allows.", eight.bytes)
        let nine = try message { $0.certificates = (0..<9).map { certificates[$0 % 3] } }
        group.undecodable(
            "nine-certificates", "too-many-certificates", at: try Place.certificate(8).offset(in: nine.bytes),
            openssl: "ok", "One certificate more than the limit.", nine.bytes)
        let attributeCertificate = BERNode.implicit(1, .sequence([.integer(1)]))
        group.undecodable(
            "attribute-certificate", "unsupported-certificate",
            at: try Place.certificate(2).offset(in: plain.bytes), openssl: "ok",
            "Another choice of CertificateChoices.",
            try plain.damaged(.replace(.certificate(2), with: attributeCertificate)).bytes)
        let five = try message { template in template.signers = Array(repeating: template.signers[0], count: 5) }
        group.undecodable(
            "five-signers", "too-many-signer-infos", at: try Place.signer(4).offset(in: five.bytes), openssl: "ok",
            "One SignerInfo more than the limit.", five.bytes)
        let digests = try message { template in
            template.digestAlgorithms = DigestAlgorithm.allCases.map(\.identifier)
        }
        group.undecodable(
            "five-digests", "too-many-signer-infos",
            at: try Place.inside(.digestAlgorithms, [4]).offset(in: digests.bytes), openssl: "ok",
            "One digest algorithm more than the limit.", digests.bytes)
        group.undecodable(
            "limit-bytes", "input-too-long", at: 1_000, openssl: "ok", "Longer than the caller takes.", plain.bytes,
            root: .standard, (.limit, "bytes=1000"))
        group.valid(
            "limit-bytes-just-enough", "As long as the caller takes.", plain.bytes, root: .standard,
            (.limit, "bytes=\(plain.bytes.count)"))
        let ber = try message { $0.encoding = .indefinite(pieces: 10) }
        let elements = 13
        group.undecodable(
            "limit-elements", "too-many-elements",
            at: try Place.inside(.content, [20]).offset(in: ber.bytes), openssl: "ok",
            "More pieces than the caller takes.", ber.bytes, root: .standard, (.limit, "elements=\(elements + 20)"))
        var deep = BERNode.octetString([])
        for _ in 0..<20 {
            deep = BERNode(.init(.universal, 4, constructed: true), .nodes([deep]), length: .indefinite)
        }
        let nested = try plain.damaged(.replace(.content, with: deep)).bytes
        group.undecodable(
            "pieces-nested-too-deeply", "nested-too-deeply",
            at: try Place.inside(.content, [Int](repeating: 0, count: 11)).offset(in: nested), openssl: "fail",
            "Constructed OCTET STRINGs inside one another, deeper than any writer nests them.", nested)
    }
}

extension ForgedMessage {
    /// The element at a place.
    func element(_ place: Place) throws -> BERNode {
        let tree = try BERNode(parsing: bytes)
        return try tree.reading(at: place.path(in: tree))
    }
}
