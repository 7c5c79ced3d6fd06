import AppStoreReceipt
import ReceiptForge

/// Every chain under which Apple has signed receipts, re-enacted with its names, algorithms and dates.
extension Recipe {
    static func history(_ group: inout VectorGroup) throws {
        for generation in CertificateGeneration.all + [.future] {
            let name = generation.name.lowercased()
            let chain = try ForgedPKI(.generation(generation, organization: "Apple Inc."))
            func created(_ date: String) throws -> [UInt8] {
                try receipt { $0.creationDate = date }.signed(by: chain).bytes
            }
            let (first, end) = (generation.period.notBefore, generation.period.notAfter)
            group.valid(
                "\(name)-first-second", "Created in the leaf's first second.", try created(first), root: .history)
            group.valid(
                "\(name)-last-second", "Created in the leaf's last second but one.", try created(secondBefore(end)),
                root: .history)
            group.rejected(
                "\(name)-later", "certificate-expired", openssl: "fail", "The same leaf, two years after its end.",
                try created("\((Int(end.prefix(4)) ?? 0) + 2)-06-01T00:00:00Z"), root: .history)
            group.rejected(
                "\(name)-sooner", "certificate-not-yet-valid", openssl: "fail",
                "The same leaf, the year before its first.",
                try created("\((Int(first.prefix(4)) ?? 0) - 1)-06-01T00:00:00Z"), root: .history)
        }
        // From August 2023 to February 2024 the App Store signed with SHA-1 and with SHA-256.
        for generation in [CertificateGeneration.g7, .g8, .g5First] {
            let chain = try ForgedPKI(.generation(generation, organization: "Apple Inc."))
            let bytes = try receipt { $0.creationDate = "2023-10-15T08:30:00Z" }.signed(by: chain).bytes
            group.valid(
                "overlap-\(generation.name.lowercased())", "15 October 2023, when several chains were in use.", bytes,
                root: .history)
            if generation.digest == .sha1 {
                group.rejected(
                    "overlap-\(generation.name.lowercased())-without-sha-1", "sha1-not-accepted", openssl: "ok",
                    "The same for a server that does not take SHA-1.", bytes, root: .history, (.sha1, "refused"))
            }
        }
        // The digest is the SignerInfo's, not the certificate's: a verifier that takes the latter rejects this one.
        let mixed = try ForgedPKI(.generation(.mixed2015, organization: "Apple Inc."))
        group.valid(
            "mixed-2015", "A SHA-256 leaf, a SHA-1 intermediate, a SHA-1 content.",
            try receipt { $0.creationDate = "2015-11-03T10:00:00Z" }.signed(by: mixed).bytes, root: .history)
        let short = try ForgedPKI(.generation(.wwdr2008, organization: "Apple Inc.")) {
            $0.leaf?.key = TestKeys.rsa1024
        }
        group.valid(
            "short-key-2011", "A signature of 128 octets, as in 2010.",
            try receipt { $0.creationDate = "2011-01-06T00:00:00Z" }.signed(by: short).bytes, root: .history)
    }

    private static func secondBefore(_ date: String) -> String {
        let milliseconds = ReceiptDate(rfc3339: date)?.millisecondsSince1970 ?? 0
        return ReceiptDate(millisecondsSince1970: milliseconds - 1_000).description
    }
}
