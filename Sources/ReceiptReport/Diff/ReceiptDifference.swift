import AppStoreReceipt
import ReceiptASN1

/// What differs between two documents of one kind: `--diff A B`.
///
/// Purchases are matched by their transaction identifiers, and in Xcode's receipts, too, where those are small numbers;
/// their order means nothing. Everything is compared as it is encoded, so that a change shows even in an attribute that
/// nobody has documented.
package struct ReceiptDifference {
    /// A field with its old and its new value; nil where it is absent.
    struct Change: Equatable {
        var name: String
        var old: String?
        var new: String?
    }

    var fields: [Change] = []
    var added: [InAppPurchase] = []
    var removed: [InAppPurchase] = []
    var changed: [(purchase: InAppPurchase, changes: [Change])] = []
    /// Purchases that are the same in both.
    var unchanged = 0
    var certificates: [Change] = []

    var isEmpty: Bool {
        fields.isEmpty && added.isEmpty && removed.isEmpty && changed.isEmpty && certificates.isEmpty
    }

    package init(_ old: Receipt, _ new: Receipt, _ redact: Redactor) {
        fields = changes(old.attributes, new.attributes, redact)
        compare(old.inApp, new.inApp, redact)
    }

    /// Two transaction receipts: their keys, which stand once each.
    package init(_ old: SignedTransactionReceipt, _ new: SignedTransactionReceipt, _ redact: Redactor) {
        append(
            old.unverifiedReceipt.entries.map { ($0.key, $0.value) },
            new.unverifiedReceipt.entries.map { ($0.key, $0.value) }, "", redact)
        let outside = "outside the signature: "
        append(Self.outside(old), Self.outside(new), outside, redact)
    }

    /// Two documents of signed JSON, or two App Attest receipts: what they and those inside them say, by its path.
    package init(_ old: AnySignedDocument, _ new: AnySignedDocument, _ redact: Redactor) {
        let (olds, news) = (Self.pairs(old, redact), Self.pairs(new, redact))
        let (before, after) = (
            Dictionary(olds) { first, _ in first }, Dictionary(news) { first, _ in first }
        )
        for (name, value) in news where before[name] != value {
            fields.append(Change(name: name, old: before[name], new: value))
        }
        for (name, value) in olds where after[name] == nil {
            fields.append(Change(name: name, old: value, new: nil))
        }
    }

    private static func pairs(_ signed: AnySignedDocument, _ redact: Redactor) -> [(String, String)] {
        signed.pairs(redact).map { ($0.name, $0.value) }
            + signed.inner.flatMap { inner in
                inner.document.pairs(redact).map { ("\(inner.key): \($0.name)", $0.value) }
            }
    }

    private static func outside(_ receipt: SignedTransactionReceipt) -> [(String, String)] {
        receipt.unsignedEnvelope.entries.filter { $0.key != "signature" && $0.key != "purchase-info" }
            .map { ($0.key, $0.value) }
    }

    private mutating func append(
        _ old: [(String, String)], _ new: [(String, String)], _ prefix: String, _ redact: Redactor
    ) {
        let olds = Dictionary(old) { first, _ in first }
        let news = Dictionary(new) { first, _ in first }
        func add(_ key: String) {
            let form = Redactor.form(ofKey: key)
            fields.append(
                Change(name: prefix + redact.key(key), old: redact(olds[key], form), new: redact(news[key], form)))
        }
        for (key, value) in new where olds[key] != value { add(key) }
        for (key, _) in old where news[key] == nil { add(key) }
    }

    /// Matches purchases: an equal one of the same transaction first, then any of the same transaction.
    private mutating func compare(_ old: [InAppPurchase], _ new: [InAppPurchase], _ redact: Redactor) {
        struct Key: Hashable {
            var transaction: String
            var content: [UInt8]
        }
        func key(_ purchase: InAppPurchase) -> Key {
            Key(transaction: purchase.transactionID ?? "", content: Array(purchase.attributes.content))
        }
        var equal = Dictionary(grouping: old.indices) { key(old[$0]) }.mapValues { Array($0.reversed()) }
        var isMatched = [Bool](repeating: false, count: old.count)
        var rest: [InAppPurchase] = []
        for purchase in new {
            if let index = equal[key(purchase)]?.popLast() {
                isMatched[index] = true
                unchanged += 1
            } else {
                rest.append(purchase)
            }
        }
        var others = Dictionary(grouping: old.indices.filter { !isMatched[$0] }) { old[$0].transactionID ?? "" }
            .mapValues { Array($0.reversed()) }
        for purchase in rest {
            // Without an identifier nothing says that two are the same purchase.
            guard let transaction = purchase.transactionID, let index = others[transaction]?.popLast() else {
                added.append(purchase)
                continue
            }
            isMatched[index] = true
            changed.append((purchase, changes(old[index].attributes, purchase.attributes, redact)))
        }
        removed = old.indices.filter { !isMatched[$0] }.map { old[$0] }
    }
}

/// Attributes of one set that are not in the other with the same version and octets; purchases are left out.
private func changes(
    _ old: ReceiptAttributes, _ new: ReceiptAttributes, _ redact: Redactor
) -> [ReceiptDifference.Change] {
    var changes: [ReceiptDifference.Change] = []
    let (olds, news) = (byType(old), byType(new))
    for type in Set(olds.keys).union(news.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
        let (before, after) = (olds[type] ?? [], news[type] ?? [])
        for index in 0..<max(before.count, after.count) {
            let old = index < before.count ? before[index] : nil
            let new = index < after.count ? after[index] : nil
            if old?.rawValue == new?.rawValue, old?.version == new?.version { continue }
            changes.append(
                .init(
                    name: type.name ?? "attribute \(type.rawValue)", old: old.map { text($0, redact) },
                    new: new.map { text($0, redact) }))
        }
    }
    return changes
}

private func byType(_ attributes: ReceiptAttributes) -> [ReceiptAttributeType: [ReceiptAttribute]] {
    Dictionary(grouping: attributes.filter { $0.type != .inApp }) { $0.type }
}

private func text(_ attribute: ReceiptAttribute, _ redact: Redactor) -> String {
    let form = Redactor.form(ofAttribute: attribute.type.rawValue)
    let version = attribute.version == 1 || attribute.type.rawValue == 4 ? "" : " (version \(attribute.version))"
    switch attribute.value.storage {
    case .utf8String(let text), .ia5String(let text): return (text.isEmpty ? "(empty)" : redact(text, form)) + version
    case .integer(let value): return redact(String(value), form) + version
    case .empty: return "(empty)" + version
    case .set, .raw: return redact.octets(attribute.rawValue) + version
    }
}
