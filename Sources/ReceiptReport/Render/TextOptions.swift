import AppStoreReceipt

/// How much a page shows, and how.
public struct TextOptions: Sendable {
    /// Columns that a line may use.
    public var columns = 100
    /// Whether the page may be coloured (ECMA-48).
    public var allowsColour = false
    /// Every check, attribute and certificate instead of a screen.
    public var showsAll = false
    /// Whether the verdict stands at the end again, where a terminal has scrolled the first line away.
    public var repeatsVerdict = false
    /// As of when subscriptions are active or ended; without a date only their end is told.
    public var date: ReceiptDate?
    /// Which purchases to show.
    public var selection = PurchaseSelection.all

    public init() {}
}
