import ReceiptForge

/// When the certificates were valid, and what time it is.
extension Recipe {
    static func time(_ group: inout VectorGroup) throws {
        // A leaf of one year, an intermediate of ten, a root of more.
        let chain = try Root.standard.chain { template in
            template.leaf?.notBefore = "2024-03-01T10:00:00Z"
            template.leaf?.notAfter = "2025-03-01T10:00:00Z"
            template.intermediate?.notBefore = "2020-01-01T00:00:00Z"
            template.intermediate?.notAfter = "2030-01-01T00:00:00Z"
        }
        func created(_ date: String) throws -> [UInt8] {
            try receipt { $0.creationDate = date }.signed(by: chain).bytes
        }
        group.valid("first-second", "The leaf's first second.", try created("2024-03-01T10:00:00Z"))
        group.rejected(
            "second-before", "certificate-not-yet-valid", openssl: "fail", "The second before it.",
            try created("2024-03-01T09:59:59Z"))
        group.valid("last-second", "The leaf's last second but one.", try created("2025-03-01T09:59:59Z"))
        group.rejected(
            "not-after", "certificate-expired", openssl: "varies",
            "notAfter itself: RFC 5280 includes it, OpenSSL does since 4.0, and we do not.",
            try created("2025-03-01T10:00:00Z"))
        group.rejected(
            "second-after", "certificate-expired", openssl: "fail", "The second after it.",
            try created("2025-03-01T10:00:01Z"))
        group.valid(
            "fraction-before-the-end", "The last fraction of a second.", try created("2025-03-01T09:59:59.999Z"))
        group.valid(
            "offset-before-the-end", "Another day by its text, the same instant.",
            try created("2025-03-02T00:59:59+15:00"))
        group.rejected(
            "offset-after-the-end", "certificate-expired", openssl: "fail",
            "The day before by its text, after the end.",
            try created("2025-02-28T23:59:59-12:00"))
        group.rejected(
            "years-later", "certificate-expired", openssl: "fail", "Long after the leaf.",
            try created("2029-06-01T00:00:00Z"))
        let plain = try created("2024-06-01T00:00:00Z")
        group.valid(
            "at-a-date", "A validation time that the caller gives.", plain, root: .standard,
            (.at, "2024-12-01T00:00:00Z"))
        group.rejected(
            "at-a-later-date", "certificate-expired", openssl: "fail",
            "Receipts outlive their certificates: the caller asked for today.",
            plain, root: .standard, (.at, "2026-01-01T00:00:00Z"))
        group.rejected(
            "at-an-earlier-date", "certificate-not-yet-valid", openssl: "fail", "A date before the leaf.", plain,
            root: .standard, (.at, "2024-01-01T00:00:00Z"))
        group.rejected(
            "at-a-date-without-creation-date", "creation-date-missing", openssl: "ok",
            "A receipt without a creation date is none, whatever time the caller gives.",
            try receipt { $0.creationDate = nil }.signed(by: chain).bytes, root: .standard,
            (.at, "2024-12-01T00:00:00Z"))

        let intermediate = try Root.standard.chain { template in
            template.intermediate?.notBefore = "2020-01-01T00:00:00Z"
            template.intermediate?.notAfter = "2022-01-01T00:00:00Z"
        }
        for (name, date, reason) in [
            ("intermediate-expired", "2023-01-01T00:00:00Z", "certificate-expired"),
            ("intermediate-not-yet-valid", "2019-01-01T00:00:00Z", "certificate-not-yet-valid"),
        ] {
            group.rejected(
                name, reason, openssl: "fail", "The leaf was valid, its issuer was not.",
                try receipt { $0.creationDate = date }.signed(by: intermediate).bytes)
        }
        for (name, date, reason) in [
            ("root-expired", "2021-01-01T00:00:00Z", "certificate-expired"),
            ("root-not-yet-valid", "2009-01-01T00:00:00Z", "certificate-not-yet-valid"),
        ] {
            group.rejected(
                name, reason, openssl: "fail", "Leaf and intermediate were valid, the root was not.",
                try receipt { $0.creationDate = date }.signed(by: Root.shortLived.chain()).bytes, root: .shortLived)
        }
        group.valid(
            "root-in-its-time", "The same chain while the root was valid.",
            try receipt { $0.creationDate = "2015-01-01T00:00:00Z" }.signed(by: Root.shortLived.chain()).bytes,
            root: .shortLived)
        let century = try Root.standard.chain { $0.leaf?.notAfter = "2150-01-01T00:00:00Z" }
        group.valid(
            "leaf-until-2150", "A notAfter beyond what UTCTime can say.", try receipt().signed(by: century).bytes)
        let fifties = try Root.standard.chain { template in
            template.leaf?.notBefore = "1950-01-01T00:00:00Z"
        }
        group.valid("leaf-since-1950", "UTCTime's first year.", try receipt().signed(by: fifties).bytes)
        group.rejected(
            "leaf-upside-down", "certificate-expired", openssl: "fail", "notAfter before notBefore.",
            try chained { template in
                template.leaf?.notBefore = "2024-01-01T00:00:00Z"
                template.leaf?.notAfter = "2023-01-01T00:00:00Z"
            })
    }
}
