/// `autoRenewStatus`.
public struct AutoRenewStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static let off = Self(rawValue: 0)
    public static let on = Self(rawValue: 1)
}

/// `expirationIntent`: why a subscription ended.
public struct ExpirationIntent: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static let cancelled = Self(rawValue: 1)
    public static let billingError = Self(rawValue: 2)
    public static let priceIncreaseRefused = Self(rawValue: 3)
    public static let productUnavailable = Self(rawValue: 4)
    public static let other = Self(rawValue: 5)
}

/// `priceIncreaseStatus`.
public struct PriceIncreaseStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static let noAnswer = Self(rawValue: 0)
    public static let consentedOrNotified = Self(rawValue: 1)
}

/// `status` of an item's price increase.
public struct AdvancedCommercePriceIncreaseStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let scheduled = Self(rawValue: "SCHEDULED")
    public static let pending = Self(rawValue: "PENDING")
    public static let accepted = Self(rawValue: "ACCEPTED")
}
