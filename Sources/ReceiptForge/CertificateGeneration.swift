/// One of the chains under which Apple has signed receipts, by the public facts of its certificates.
///
/// Source: certificates inside public receipts, 2010 to 2025, and Apple's published intermediates.
public struct CertificateGeneration: Hashable, Sendable {
    /// A short name, such as `G5-2024`.
    public var name: String
    public var serial: [UInt8]
    public var period: Period
    public var commonName = "Mac App Store and iTunes Store Receipt Signing"
    /// How the leaf is signed, the intermediate is signed, and receipts are digested: once, these were three things.
    public var leafAlgorithm: SignatureAlgorithm
    public var intermediateAlgorithm: SignatureAlgorithm
    public var digest: DigestAlgorithm
    public var intermediate: Intermediate

    public struct Period: Hashable, Sendable {
        public var notBefore: String
        public var notAfter: String
    }

    public struct Intermediate: Hashable, Sendable {
        public var unit: String
        public var serial: [UInt8]
        public var period: Period
        /// Path length 0 and no use but signing certificates and lists, since G7.
        public var isNarrow: Bool
    }

    /// All of them, the oldest first.
    public static var all: [CertificateGeneration] {
        [wwdr2008, mixed2015, g1, g5First, g7, g8, g5IOS6, g5Second]
    }
}

// Computed, not stored: what is stored for ever looks like a leak to a sanitizer that does not know Swift's enums.
extension CertificateGeneration {
    public static var wwdr2008: CertificateGeneration {
        var generation = sha1(
            "WWDR-2008", "1859432172749cfc", "2010-11-11T21:58:01Z", "2015-11-11T21:58:01Z",
            Intermediate(
                unit: "Apple Worldwide Developer Relations", serial: [0x19],
                period: Period(notBefore: "2008-02-14T18:56:35Z", notAfter: "2016-02-14T18:56:35Z"), isNarrow: false))
        generation.commonName = "Mac App Store Receipt Signing"
        return generation
    }

    /// Autumn 2015: the leaf is signed with SHA-256, everything around it with SHA-1.
    public static var mixed2015: CertificateGeneration {
        var generation = sha1(
            "G1-2015-mixed", "52a4b9c5e1b11881", "2015-09-24T19:09:31Z", "2017-10-23T19:09:31Z", wwdrG1)
        generation.leafAlgorithm = .sha256WithRSA
        return generation
    }

    public static var g1: CertificateGeneration {
        sha1("G1", "0eeb5787e79e098d", "2015-11-13T02:15:09Z", "2023-02-07T21:48:47Z", wwdrG1)
    }

    public static var g7: CertificateGeneration {
        sha1(
            "G7", "2dab031bbdd66573d20729793c4497c4", "2022-12-02T21:46:04Z", "2023-11-17T20:40:52Z",
            Intermediate(
                unit: "G7", serial: octets("341858ff01fe063f8ef19f1fe93c01b4c146ffc9"),
                period: Period(notBefore: "2022-11-17T20:40:53Z", notAfter: "2023-11-17T20:40:52Z"), isNarrow: true))
    }

    public static var g8: CertificateGeneration {
        sha1(
            "G8", "58f7bae4c282410b27d6567d5180a8f1", "2023-07-13T18:21:19Z", "2024-08-11T18:31:19Z",
            Intermediate(
                unit: "G8", serial: octets("54b50baf790d8d7f8caf684c562f50690a1aba5f"),
                period: Period(notBefore: "2023-06-20T23:37:15Z", notAfter: "2025-01-24T00:00:00Z"), isNarrow: true))
    }

    /// The first SHA-256 leaf: in receipts from 2023-08 on, beside those of G8 until 2024-02.
    public static var g5First: CertificateGeneration {
        sha256("G5-2022", "15e79fce52550a65017c91dfe4eeb359", "2022-09-02T19:13:57Z", "2024-10-01T19:13:56Z")
    }

    public static var g5Second: CertificateGeneration {
        sha256("G5-2024", "7d3920094ebef3f8efca6c10ea8e4303", "2024-07-24T14:50:03Z", "2026-08-23T14:50:02Z")
    }

    /// The leaf of an iOS 6-style receipt of 2025; its serial number is public in part only.
    public static var g5IOS6: CertificateGeneration {
        sha256("G5-2024-iOS6", "2932ce160000000000000000000028f9", "2024-05-24T00:00:00Z", "2026-06-23T00:00:00Z")
    }

    /// What next year may bring: a leaf that no public receipt has yet.
    public static var future: CertificateGeneration {
        sha256("G5-2026", "7f0102030405060708090a0b0c0d0e0f", "2026-08-01T00:00:00Z", "2028-08-31T23:59:59Z")
    }

    private static func sha1(
        _ name: String, _ serial: String, _ notBefore: String, _ notAfter: String, _ intermediate: Intermediate
    ) -> CertificateGeneration {
        CertificateGeneration(
            name: name, serial: octets(serial), period: Period(notBefore: notBefore, notAfter: notAfter),
            leafAlgorithm: .sha1WithRSA, intermediateAlgorithm: .sha1WithRSA, digest: .sha1, intermediate: intermediate)
    }

    private static func sha256(
        _ name: String, _ serial: String, _ notBefore: String, _ notAfter: String
    ) -> CertificateGeneration {
        CertificateGeneration(
            name: name, serial: octets(serial), period: Period(notBefore: notBefore, notAfter: notAfter),
            leafAlgorithm: .sha256WithRSA, intermediateAlgorithm: .sha256WithRSA, digest: .sha256,
            intermediate: Intermediate(
                unit: "G5", serial: octets("3b7e800aeed302a1e6ecdb97d9caac289cf16994"),
                period: Period(notBefore: "2020-12-16T19:38:56Z", notAfter: "2030-12-10T00:00:00Z"), isNarrow: true))
    }

    private static var wwdrG1: Intermediate {
        Intermediate(
            unit: "Apple Worldwide Developer Relations", serial: octets("01debcc4396da010"),
            period: Period(notBefore: "2013-02-07T21:48:47Z", notAfter: "2023-02-07T21:48:47Z"), isNarrow: false)
    }

    private static func octets(_ digits: String) -> [UInt8] {
        let values = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
