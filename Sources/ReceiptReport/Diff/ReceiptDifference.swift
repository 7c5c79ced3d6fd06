import AppStoreReceipt

/// What differs between two receipts: `--diff A B`.
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
        var rest: [String: [InAppPurchase]] = [:]
        for purchase in old.inApp { rest[purchase.transactionID ?? "", default: []].append(purchase) }
        for purchase in new.inApp {
            let key = purchase.transactionID ?? ""
            guard var candidates = rest[key], !candidates.isEmpty else {
                added.append(purchase)
                continue
            }
            // Where a transaction occurs more than once, an equal one is its counterpart.
            let index = candidates.firstIndex { $0.attributes.content == purchase.attributes.content } ?? 0
            let counterpart = candidates.remove(at: index)
            rest[key] = candidates
            let changes = changes(counterpart.attributes, purchase.attributes, redact)
            if changes.isEmpty { unchanged += 1 } else { changed.append((purchase, changes)) }
        }
        // In the order of the old receipt.
        for purchase in old.inApp {
            let key = purchase.transactionID ?? ""
            guard let index = rest[key]?.firstIndex(where: { $0.attributes.content == purchase.attributes.content })
            else {
                continue
            }
            rest[key]?.remove(at: index)
            removed.append(purchase)
        }
    }
}

/// Attributes of one set that are not in the other with the same version and octets; purchases are left out.
private func changes(
    _ old: ReceiptAttributes, _ new: ReceiptAttributes, _ redact: Redactor
) -> [ReceiptDifference.Change] {
    var changes: [ReceiptDifference.Change] = []
    var olds = ordered(old)
    for (type, attributes) in ordered(new) {
        let before = olds.removeFirst { $0.type == type }?.attributes ?? []
        append(type, before, attributes)
    }
    for (type, attributes) in olds { append(type, attributes, []) }

    func append(_ type: ReceiptAttributeType, _ before: [ReceiptAttribute], _ after: [ReceiptAttribute]) {
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

/// The attributes by type, the types in order.
private func ordered(
    _ attributes: ReceiptAttributes
) -> [(type: ReceiptAttributeType, attributes: [ReceiptAttribute])] {
    let groups = Dictionary(grouping: attributes.filter { $0.type != .inApp }) { $0.type }
    return groups.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
}

private func text(_ attribute: ReceiptAttribute, _ redact: Redactor) -> String {
    let isReadable = redact.isReadable(attribute.type.rawValue)
    let version = attribute.version == 1 || attribute.type.rawValue == 4 ? "" : " (version \(attribute.version))"
    switch attribute.value {
    case .utf8String(let text), .ia5String(let text):
        return (text.isEmpty ? "(empty)" : isReadable ? text : redact(text)) + version
    case .integer(let value): return (isReadable ? String(value) : redact(value) ?? "") + version
    case .empty: return "(empty)" + version
    case .set, .raw: return (isReadable ? hex(attribute.rawValue) : redact(attribute.rawValue)) + version
    }
}

extension Array {
    fileprivate mutating func removeFirst(where condition: (Element) -> Bool) -> Element? {
        firstIndex(where: condition).map { remove(at: $0) }
    }
}
