import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1
import ReceiptJSON

/// Replaces what identifies a customer, a device, an app or a purchase by short hashes, for output that goes into a ticket.
///
/// Equal values get equal hashes under one key, so that a reader can still follow a transaction through a report. The hash
/// is HMAC-SHA-256 (RFC 2104), cut to 40 bits: without the key nobody can find a value by trying candidates, however short
/// it is. Whoever needs the same hashes in several runs gives the same key.
///
/// What is shown in clear is what has the form of something harmless: a date, a version, a known environment, a small
/// number, a word of this library's own. Everything else is replaced, whatever field it stands in. Sentences are made anew
/// from their values.
public struct Redactor: Sendable {
    /// Nil shows everything.
    private let pads: (inner: [UInt8], outer: [UInt8])?

    /// - Parameter key: Any secret octets; 16 or more from a random source keep short values from being found.
    public init(key: [UInt8]) {
        // A key longer than a block is hashed first. Without a working libcrypto nothing is shown in clear either.
        let key = key.count <= Self.blockSize ? key : (try? digest(key[...])) ?? []
        let block = key + [UInt8](repeating: 0, count: Self.blockSize - key.count)
        pads = (block.map { $0 ^ 0x36 }, block.map { $0 ^ 0x5C })
    }

    private init() { pads = nil }

    package static let off = Redactor()
    package var isOn: Bool { pads != nil }

    private static let blockSize = 64
}

// MARK: - Values

extension Redactor {
    /// What a value must look like to be shown in clear.
    package enum Form: Sendable {
        /// Nothing is harmless.
        case identifier
        case environment
        case version
        case date
        case ageRating
        /// Kinds, flags and counts.
        case smallNumber
        /// A word of an enumeration: capital letters and underscores, or a known one.
        case word
    }

    package func callAsFunction(_ value: String) -> String { self(value, .identifier) }
    package func callAsFunction(_ value: String?) -> String? { value.map { self($0, .identifier) } }

    package func callAsFunction(_ value: String, _ form: Form) -> String {
        guard let pads, !value.isEmpty, !form.admits(value) else { return value }
        return hash(value.utf8, pads)
    }

    package func callAsFunction(_ value: String?, _ form: Form) -> String? { value.map { self($0, form) } }

    /// A number that identifies something; 0 identifies nothing.
    package func number(_ value: Int64?) -> String? { value.map { $0 == 0 ? "0" : self(String($0)) } }

    /// Octets, as hexadecimal digits.
    package func octets(_ value: some Collection<UInt8>) -> String {
        guard let pads, !value.isEmpty else { return hex(value) }
        return hash(value, pads)
    }

    private func hash(_ value: some Sequence<UInt8>, _ pads: (inner: [UInt8], outer: [UInt8])) -> String {
        do throws(LibcryptoError) {
            let inner = try digest((pads.inner + value)[...])
            return "#" + hex(try digest((pads.outer + inner)[...]).prefix(5))
        } catch {
            // Not in clear, whatever happens.
            return "#"
        }
    }
}

extension Redactor.Form {
    fileprivate func admits(_ value: String) -> Bool {
        switch self {
        case .identifier: false
        case .environment: Self.environments.contains(value)
        case .version:
            value.utf8.count <= 24 && value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
                && value.utf8.split(separator: UInt8(ascii: ".")).allSatisfy { $0.count <= 8 }
        case .date: Self.isDate(value.utf8)
        case .ageRating:
            value.utf8.count <= 3 && value.utf8.last == UInt8(ascii: "+")
                && value.utf8.dropLast().allSatisfy { (0x30...0x39).contains($0) }
        case .word:
            value.utf8.count <= 32
                && (Self.words.contains(value)
                    || value.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "_") })
        case .smallNumber:
            value == "true" || value == "false"
                || value.utf8.count <= 4 && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    private static let words: Set = [
        "Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription", "iOS", "macOS",
        "tvOS",
        "visionOS",
    ]

    private static let environments: Set = [
        "Production", "ProductionVPP", "ProductionSandbox", "ProductionVPPSandbox", "Sandbox", "Xcode", "LocalTesting",
        "production", "sandbox", "ATTEST", "RECEIPT",
    ]

    /// The characters of a date and no more of them than one needs, or milliseconds since 1970 as purchase-infos have them.
    private static func isDate(_ text: String.UTF8View) -> Bool {
        let digits = text.count { (0x30...0x39).contains($0) }
        if digits == text.count { return digits == 13 && text.first.map { $0 <= UInt8(ascii: "2") } == true }
        var rest = text[...]
        for zone in [" Etc/GMT", " America/Los_Angeles"] where rest.suffix(zone.utf8.count).elementsEqual(zone.utf8) {
            rest = rest.dropLast(zone.utf8.count)
        }
        return (14...20).contains(digits) && rest.count <= 32
            && rest.allSatisfy { (0x30...0x39).contains($0) || "-:.+TZ ".utf8.contains($0) }
    }
}

// MARK: - Fields

extension Redactor {
    /// How the value of a receipt's attribute may look to be shown.
    package static func form(ofAttribute type: Int) -> Form {
        guard let known = ReceiptAttributeType(rawValue: type).known, !known.isPrivate else { return .identifier }
        switch known.encoding {
        case .date: return .date
        case .integer: return .smallNumber
        case .ia5String: return .ageRating
        case .utf8String: return known.type == .receiptType ? .environment : .version
        case .attributes, .octets, .unknown: return .identifier
        }
    }

    /// The same for the keys of a purchase-info and of what stands around it, and for the fields of other payloads.
    package static func form(ofKey key: String) -> Form {
        switch key {
        case "environment", "receipt_type", "receipt type": .environment
        case "bvrs", "application_version", "original_application_version", "version": .version
        case "quantity", "cancellation-reason", "is-trial-period", "is-in-intro-offer-period", "signing-status", "pod",
            "platform", "risk metric":
            .smallNumber
        case "age_rating": .ageRating
        case _ where key.utf8.count <= 40 && (key.contains("date") || key.hasSuffix("time") || key == "not before"):
            .date
        default: .identifier
        }
    }

    /// A key that somebody else chose: shown when it is one of Apple's.
    package func key(_ key: String) -> String {
        guard isOn, !Self.knownKeys.contains(key) else { return key }
        return self(key)
    }

    /// Keys of purchase-infos and of the property lists around them that have been seen in genuine receipts.
    private static let knownKeys: Set = [
        "original-purchase-date-pst", "purchase-date-ms", "unique-identifier", "original-transaction-id", "bvrs",
        "app-item-id", "transaction-id", "quantity", "original-purchase-date-ms", "unique-vendor-identifier", "item-id",
        "version-external-identifier", "product-id", "purchase-date", "original-purchase-date", "bid",
        "purchase-date-pst", "expires-date", "expires-date-formatted", "expires-date-formatted-pst",
        "web-order-line-item-id", "is-trial-period", "is-in-intro-offer-period", "cancellation-date",
        "cancellation-date-ms", "cancellation-date-pst", "cancellation-reason", "signature", "purchase-info",
        "environment", "pod", "signing-status",
    ]
}

// MARK: - Sentences

extension Redactor {
    /// A report's message, its values shown as far as they are harmless. Of a decoding error, whose detail may quote the
    /// input, the code and the place.
    package func message(of report: Report) -> String {
        guard isOn else { return report.message }
        if let fault = report.inspection.fault { return words(fault.error) }
        return report.rejection?.message { value($0, in: report) } ?? report.message
    }

    /// A check's detail.
    func detail(of check: Check, in report: Report) -> String {
        isOn ? check.detail { value($0, in: report) } : check.detail
    }

    private func value(_ value: ReportedValue, in report: Report) -> String {
        switch value.kind {
        case .date, .duration, .count, .algorithm, .objectIdentifier: value.shown
        case .environment: self(value.shown, .environment)
        case .applicationVersion: self(value.shown, .version)
        case .certificate: certificates(of: report)(value.shown)
        case .decodingError:
            if case .error(let error) = value.content { words(error) } else { self(value.shown) }
        default: self(value.shown)
        }
    }

    private func words(_ error: ReceiptDecodingError) -> String { "\(error.code.rawValue) at offset \(error.offset)" }

    /// Certificates of an authentic chain under Apple's root identify nobody; any other may name a developer.
    func certificates(of report: Report) -> Redactor {
        report.isUnderBuiltInRoot ? .off : self
    }
}

/// SHA-256, by libcrypto.
package func digest(_ bytes: ArraySlice<UInt8>) throws(LibcryptoError) -> [UInt8] {
    try Libcrypto.shared().digest(.sha256, bytes.span)
}
