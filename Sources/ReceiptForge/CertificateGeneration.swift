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
    public static let all = [wwdr2008, mixed2015, g1, g5First, g7, g8, g5IOS6, g5Second]

    public static let wwdr2008 = CertificateGeneration(
        name: "WWDR-2008", serial: [0x18, 0x59, 0x43, 0x21, 0x72, 0x74, 0x9C, 0xFC],
        period: Period(notBefore: "2010-11-11T21:58:01Z", notAfter: "2015-11-11T21:58:01Z"),
        commonName: "Mac App Store Receipt Signing", leafAlgorithm: .sha1WithRSA, intermediateAlgorithm: .sha1WithRSA,
        digest: .sha1,
        intermediate: Intermediate(
            unit: "Apple Worldwide Developer Relations", serial: [0x19],
            period: Period(notBefore: "2008-02-14T18:56:35Z", notAfter: "2016-02-14T18:56:35Z"), isNarrow: false))

    /// Autumn 2015: the leaf is signed with SHA-256, everything around it with SHA-1.
    public static let mixed2015 = CertificateGeneration(
        name: "G1-2015-mixed", serial: [0x52, 0xA4, 0xB9, 0xC5, 0xE1, 0xB1, 0x18, 0x81],
        period: Period(notBefore: "2015-09-24T19:09:31Z", notAfter: "2017-10-23T19:09:31Z"),
        leafAlgorithm: .sha256WithRSA, intermediateAlgorithm: .sha1WithRSA, digest: .sha1, intermediate: wwdrG1)

    public static let g1 = CertificateGeneration(
        name: "G1", serial: [0x0E, 0xEB, 0x57, 0x87, 0xE7, 0x9E, 0x09, 0x8D],
        period: Period(notBefore: "2015-11-13T02:15:09Z", notAfter: "2023-02-07T21:48:47Z"),
        leafAlgorithm: .sha1WithRSA, intermediateAlgorithm: .sha1WithRSA, digest: .sha1, intermediate: wwdrG1)

    public static let g7 = CertificateGeneration(
        name: "G7",
        serial: [0x2D, 0xAB, 0x03, 0x1B, 0xBD, 0xD6, 0x65, 0x73, 0xD2, 0x07, 0x29, 0x79, 0x3C, 0x44, 0x97, 0xC4],
        period: Period(notBefore: "2022-12-02T21:46:04Z", notAfter: "2023-11-17T20:40:52Z"),
        leafAlgorithm: .sha1WithRSA, intermediateAlgorithm: .sha1WithRSA, digest: .sha1,
        intermediate: Intermediate(
            unit: "G7",
            serial: [
                0x34, 0x18, 0x58, 0xFF, 0x01, 0xFE, 0x06, 0x3F, 0x8E, 0xF1, 0x9F, 0x1F, 0xE9, 0x3C, 0x01, 0xB4, 0xC1,
                0x46, 0xFF, 0xC9,
            ],
            period: Period(notBefore: "2022-11-17T20:40:53Z", notAfter: "2023-11-17T20:40:52Z"), isNarrow: true))

    public static let g8 = CertificateGeneration(
        name: "G8",
        serial: [0x58, 0xF7, 0xBA, 0xE4, 0xC2, 0x82, 0x41, 0x0B, 0x27, 0xD6, 0x56, 0x7D, 0x51, 0x80, 0xA8, 0xF1],
        period: Period(notBefore: "2023-07-13T18:21:19Z", notAfter: "2024-08-11T18:31:19Z"),
        leafAlgorithm: .sha1WithRSA, intermediateAlgorithm: .sha1WithRSA, digest: .sha1,
        intermediate: Intermediate(
            unit: "G8",
            serial: [
                0x54, 0xB5, 0x0B, 0xAF, 0x79, 0x0D, 0x8D, 0x7F, 0x8C, 0xAF, 0x68, 0x4C, 0x56, 0x2F, 0x50, 0x69, 0x0A,
                0x1A, 0xBA, 0x5F,
            ],
            period: Period(notBefore: "2023-06-20T23:37:15Z", notAfter: "2025-01-24T00:00:00Z"), isNarrow: true))

    /// The first SHA-256 leaf: in receipts from 2023-08 on, beside those of G8 until 2024-02.
    public static let g5First = sha256(
        "G5-2022", [0x15, 0xE7, 0x9F, 0xCE, 0x52, 0x55, 0x0A, 0x65, 0x01, 0x7C, 0x91, 0xDF, 0xE4, 0xEE, 0xB3, 0x59],
        Period(notBefore: "2022-09-02T19:13:57Z", notAfter: "2024-10-01T19:13:56Z"))

    public static let g5Second = sha256(
        "G5-2024", [0x7D, 0x39, 0x20, 0x09, 0x4E, 0xBE, 0xF3, 0xF8, 0xEF, 0xCA, 0x6C, 0x10, 0xEA, 0x8E, 0x43, 0x03],
        Period(notBefore: "2024-07-24T14:50:03Z", notAfter: "2026-08-23T14:50:02Z"))

    /// The leaf of an iOS 6-style receipt of 2025; its serial number is public in part only.
    public static let g5IOS6 = sha256(
        "G5-2024-iOS6", [0x29, 0x32, 0xCE, 0x16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x28, 0xF9],
        Period(notBefore: "2024-05-24T00:00:00Z", notAfter: "2026-06-23T00:00:00Z"))

    /// What next year may bring: a leaf that no public receipt has yet.
    public static let future = sha256(
        "G5-2026", [0x7F, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F],
        Period(notBefore: "2026-08-01T00:00:00Z", notAfter: "2028-08-31T23:59:59Z"))

    private static func sha256(_ name: String, _ serial: [UInt8], _ period: Period) -> CertificateGeneration {
        CertificateGeneration(
            name: name, serial: serial, period: period, leafAlgorithm: .sha256WithRSA,
            intermediateAlgorithm: .sha256WithRSA, digest: .sha256,
            intermediate: Intermediate(
                unit: "G5",
                serial: [
                    0x3B, 0x7E, 0x80, 0x0A, 0xEE, 0xD3, 0x02, 0xA1, 0xE6, 0xEC, 0xDB, 0x97, 0xD9, 0xCA, 0xAC, 0x28,
                    0x9C,
                    0xF1, 0x69, 0x94,
                ],
                period: Period(notBefore: "2020-12-16T19:38:56Z", notAfter: "2030-12-10T00:00:00Z"), isNarrow: true))
    }

    private static let wwdrG1 = Intermediate(
        unit: "Apple Worldwide Developer Relations", serial: [0x01, 0xDE, 0xBC, 0xC4, 0x39, 0x6D, 0xA0, 0x10],
        period: Period(notBefore: "2013-02-07T21:48:47Z", notAfter: "2023-02-07T21:48:47Z"), isNarrow: false)
}
