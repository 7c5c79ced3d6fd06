extension ForgedPurchase {
    /// The SET of the purchase's attributes.
    ///
    /// - Parameters:
    ///   - number: the purchase's place in the receipt, which numbers it where it has no transaction identifier.
    ///   - style: the issuer to resemble.
    public func node(number: Int, style: ForgedReceipt.Style) -> BERNode {
        .set(attributes(number: number, style: style).map(\.node), sorted: style == .appStore)
    }

    /// The attributes, by type.
    public func attributes(number: Int, style: ForgedReceipt.Style) -> [ForgedAttribute] {
        let usual = style == .appStore ? appStoreAttributes(number) : xcodeAttributes(number)
        return ForgedAttribute.merge(usual, overrides) + extraAttributes
    }

    private func appStoreAttributes(_ number: Int) -> [(Int, ForgedAttribute.Value?)] {
        let transaction = transactionID ?? String(2_000_000_000_000_001 + number)
        return [
            (1701, quantity.map { .integer($0) }),
            (1702, productID.map { .utf8String($0) }),
            (1703, .utf8String(transaction)),
            (1704, purchaseDate.map { .ia5String($0) }),
            (1705, .utf8String(originalTransactionID ?? transaction)),
            (1706, (originalPurchaseDate ?? purchaseDate).map { .ia5String($0) }),
            (1707, productType.map { .integer($0.rawValue) }),
            (1708, expiresDate.map { .ia5String($0) }),
            (1709, .utf8String("")),
            (1710, itemID.map { .integer($0) }),
            (1711, webOrderLineItemID.map { .integer($0) }),
            (1712, cancellationDate.map { .ia5String($0) }),
            (1713, isTrialPeriod.map { .integer($0 ? 1 : 0) }),
            (1714, .utf8String("")),
            (1715, .utf8String("")),
            (1716, .utf8String("")),
            (1717, .utf8String("")),
            (1718, .utf8String("")),
            (1719, isInIntroOfferPeriod.map { .integer($0 ? 1 : 0) }),
            (1720, cancellationReason.map { .integer($0) }),
            (1721, promotionalOfferID.map { .utf8String($0) }),
            (1722, ownership.map { .integer($0.rawValue) }),
        ]
    }

    /// Xcode writes few attributes, leaves empty ones out, and numbers transactions from 0.
    private func xcodeAttributes(_ number: Int) -> [(Int, ForgedAttribute.Value?)] {
        let date = { (text: String?) -> ForgedAttribute.Value? in
            text.flatMap { $0.isEmpty ? nil : .ia5String($0) }
        }
        return [
            (1701, quantity.map { .integer($0) }),
            (1702, productID.map { .utf8String($0) }),
            (1703, .utf8String(transactionID ?? String(number))),
            (1704, date(purchaseDate)),
            (1705, originalTransactionID.map { .utf8String($0) }),
            (1706, date(originalPurchaseDate)),
            (1708, date(expiresDate)),
            (1712, date(cancellationDate)),
            (1719, isInIntroOfferPeriod.map { .integer($0 ? 1 : 0) }),
            (1720, cancellationReason.map { .integer($0) }),
            (1721, promotionalOfferID.map { .utf8String($0) }),
        ]
    }
}

extension ForgedAttribute {
    /// The attributes that have a value, each type replaced by its overrides where it has some.
    static func merge(_ usual: [(Int, Value?)], _ overrides: [Int: [ForgedAttribute]]) -> [ForgedAttribute] {
        var rest = overrides
        var attributes: [ForgedAttribute] = []
        attributes.reserveCapacity(usual.count)
        for (type, value) in usual {
            if let own = rest.removeValue(forKey: type) {
                attributes += own
            } else if let value {
                attributes.append(ForgedAttribute(type, value))
            }
        }
        for type in rest.keys.sorted() { attributes += rest[type] ?? [] }
        return attributes
    }
}
