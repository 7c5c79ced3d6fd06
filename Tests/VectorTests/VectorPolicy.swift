import AppStoreReceipt
import AppStoreReceiptValidation
import Testing
import VectorRecipe

/// What the headers of a vector ask for, in the library's types.
extension Vector {
    /// What is expected.
    enum Expectation: Hashable {
        case valid
        case rejected(String)
        /// The offset is nil where the vector states none: inside signed JSON.
        case undecodable(code: String, offset: Int?)

        init(_ text: String) throws {
            let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
            switch parts.first {
            case "valid" where parts.count == 1, "ok" where parts.count == 1: self = .valid
            case "rejected" where parts.count == 2: self = .rejected(parts[1])
            case "undecodable" where parts.count == 2:
                let place = parts[1].split(separator: "@").map(String.init)
                let offset = place.count == 2 ? Int(place[1]) : nil
                try #require(place.count == 1 || offset != nil, "no offset in '\(text)'")
                self = .undecodable(code: place[0], offset: offset)
            default: throw VectorError("'\(text)' is no expectation")
            }
        }
    }

    var expectation: Expectation { get throws { try Expectation(self[.expect] ?? "") } }

    var isText: Bool {
        get throws {
            guard let kind = self[.input] else { return false }
            try #require(kind == "text")
            return true
        }
    }

    var limits: DecodingLimits {
        get throws {
            var limits = DecodingLimits.default
            for text in all(.limit) {
                let parts = text.split(separator: "=").map(String.init)
                let value = try #require(parts.count == 2 ? Int(parts[1]) : nil)
                switch parts[0] {
                case "bytes": limits.bytes = value
                case "depth": limits.depth = value
                case "elements": limits.elements = value
                case "attributes": limits.attributes = value
                case "purchase-attributes": limits.purchaseAttributes = value
                case "certificates": limits.certificates = value
                case "signer-infos": limits.signerInfos = value
                default: throw VectorError("no limit '\(parts[0])'")
                }
            }
            return limits
        }
    }

    /// The DER of the trusted certificates.
    var anchors: [[UInt8]] {
        get throws { try all(.root).map { try #require(VectorFiles.roots[$0], "no root \($0)") } }
    }

    var now: ReceiptDate? { get throws { try self[.now].map { try Self.date($0) } } }

    /// The time that the caller gives; nil for the receipt's own.
    var validationTime: ReceiptDate? {
        get throws {
            guard let text = self[.at], text != "receipt" else { return nil }
            return try Self.date(text)
        }
    }

    var policy: ValidationPolicy {
        get throws {
            var policy = try ValidationPolicy(trusting: anchors)
            if let time = try validationTime { policy.validationTime = .at(time) }
            if let sha1 = self[.sha1] {
                try #require(sha1 == "refused")
                policy.acceptsSHA1 = false
            }
            policy.bundleIdentifiers = expected(.bundleID)
            policy.applicationVersions = expected(.appVersion)
            policy.productIdentifiers = expected(.productID)
            policy.transactionIdentifiers = expected(.transactionID)
            policy.environments = expected(.environment).map { words in
                Set(words.map { ReceiptEnvironment(rawValue: $0) })
            }
            let devices = all(.deviceID)
            if !devices.isEmpty { policy.deviceIdentifiers = try devices.map { try #require(DeviceIdentifier($0)) } }
            policy.maximumAge = try self[.maximumAge].map { .seconds(try #require(Int($0))) }
            return policy
        }
    }

    private func expected(_ key: Key) -> Set<String>? {
        let values = all(key)
        return values.isEmpty ? nil : Set(values)
    }

    private static func date(_ text: String) throws -> ReceiptDate { try #require(ReceiptDate(rfc3339: text)) }
}

extension Vector {
    /// Validates and examines: both say the same, and the one reason that is expected, or none.
    func judge(_ document: some SignedDocument, _ reason: String?, under policy: ValidationPolicy) throws {
        let validator = try ReceiptValidator(policy: policy)
        let examination = try validator.examine(document, asOf: try now)
        // Twice: the second time the chain may come from the cache.
        for _ in 0..<2 {
            #expect(try validator.validate(document, asOf: try now).rejection == examination.verdict.rejection)
        }
        let rejection = examination.verdict.rejection
        #expect(rejection?.reason.rawValue == reason, "\(String(describing: rejection))")
        let failed = examination.checks.filter { $0.outcome == .failed }.map(\.name.rawValue)
        // One defect, one failed check, and those that the vector owns up to.
        let others = self[.alsoFails]?.split(separator: " ").map(String.init) ?? []
        #expect(failed.count == (reason == nil ? 0 : 1 + others.count), "\(failed)")
        #expect(Set(failed.dropFirst()) == Set(others), "\(failed)")
        if let cause = self[.cause] {
            #expect(rejection?.message.contains(cause) == true, "\(rejection?.message ?? "")")
        }
    }
}
