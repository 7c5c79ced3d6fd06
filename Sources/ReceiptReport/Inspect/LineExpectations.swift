import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON

/// What a line of `--lines` asks for besides the command line: the members `bundle-id`, `environment`, `app-version`,
/// `device-id`, `product-id`, `transaction-id`, each a string or an array of strings, and `at`, a date.
///
/// They add to what the command line expects and take nothing away: whoever can write a line cannot loosen a policy.
package struct LineExpectations: Equatable, Sendable {
    package var bundleIDs: Set<String>?
    package var environments: Set<ReceiptEnvironment>?
    package var applicationVersions: Set<String>?
    package var deviceIDs: [DeviceIdentifier]?
    package var productIDs: Set<String>?
    package var transactionIDs: Set<String>?
    /// When the certificates must be valid, and as of when something may have expired.
    package var date: ReceiptDate?

    var isEmpty: Bool { self == LineExpectations() }

    private init() {}

    /// Nil when the line asks for nothing.
    ///
    /// - Throws: ``Malformed`` for a member that is not what it must be; it must not pass for one that is not there.
    package init?(_ document: JSONDocument, _ text: Span<UInt8>) throws(Malformed) {
        self.init()
        for member in document.members(of: document.root) {
            guard let name = Self.names.first(where: { member.hasName($0, in: text) }) else { continue }
            guard let words = Self.words(document, member.value, text), !words.isEmpty else {
                throw Malformed(member: "\(name)")
            }
            switch "\(name)" {
            case "bundle-id": bundleIDs = Set(words)
            case "app-version": applicationVersions = Set(words)
            case "product-id": productIDs = Set(words)
            case "transaction-id": transactionIDs = Set(words)
            case "environment":
                let known = words.compactMap { word in
                    ReceiptEnvironment.known.first { $0.rawValue == word.lowercased() }
                }
                guard known.count == words.count else { throw Malformed(member: "environment") }
                environments = Set(known)
            case "device-id":
                let devices = words.compactMap { DeviceIdentifier($0) }
                guard devices.count == words.count else { throw Malformed(member: "device-id") }
                deviceIDs = devices
            default:
                guard words.count == 1, let given = ReceiptDate(rfc3339: words[0]) else {
                    throw Malformed(member: "at")
                }
                date = given
            }
        }
        if isEmpty { return nil }
    }

    /// A member of a line that asks for something nobody can understand.
    package struct Malformed: Error, Equatable {
        package var member: String
        package init(member: String) { self.member = member }
    }

    private static let names: [StaticString] = [
        "bundle-id", "environment", "app-version", "device-id", "product-id", "transaction-id", "at",
    ]

    private static func words(_ document: JSONDocument, _ value: JSONValue, _ text: Span<UInt8>) -> [String]? {
        if let word = value.string(in: text) { return [word] }
        guard value.kind == .array else { return nil }
        var words: [String] = []
        for element in document.elements(of: value) {
            guard let word = element.string(in: text) else { return nil }
            words.append(word)
        }
        return words
    }

    /// Adds these expectations to a policy's.
    func add(to policy: inout ValidationPolicy) {
        narrow(&policy.bundleIdentifiers, to: bundleIDs)
        narrow(&policy.environments, to: environments)
        narrow(&policy.applicationVersions, to: applicationVersions)
        if let deviceIDs {
            policy.deviceIdentifiers =
                policy.deviceIdentifiers.map { known in deviceIDs.filter(known.contains) } ?? deviceIDs
        }
        // All of these must be there, so more of them ask for more.
        if let productIDs { policy.productIdentifiers = productIDs.union(policy.productIdentifiers ?? []) }
        if let transactionIDs {
            policy.transactionIdentifiers = transactionIDs.union(policy.transactionIdentifiers ?? [])
        }
        if let date { policy.validationTime = .at(date) }
    }

    private func narrow<Value>(_ set: inout Set<Value>?, to wanted: Set<Value>?) {
        guard let wanted else { return }
        set = set.map { $0.intersection(wanted) } ?? wanted
    }
}
