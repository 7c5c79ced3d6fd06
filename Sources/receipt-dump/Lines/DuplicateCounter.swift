/// Counts transactions that are in more than one receipt, in bounded memory.
///
/// A set of 64-bit hashes by open addressing. Up to its limit, two different identifiers are taken for one with a
/// probability below one in a million; above it nothing more is remembered, and ``isPartial`` says so.
struct DuplicateCounter {
    /// Hashes remembered: with half of the places free, 32 MB.
    private static let limit = 2 << 20

    /// Transactions that were met again in another receipt, each once.
    private(set) var sharedTransactions = 0
    /// Receipts whose payload was met before.
    private(set) var repeatedReceipts = 0
    private(set) var isPartial = false

    /// Hash with the lowest bit saying whether it was met again; 0 is a free place.
    private var places = [UInt64](repeating: 0, count: 1 << 10)
    private var count = 0

    mutating func add(_ identity: LineTally.Identity) {
        // A receipt sent twice shares its transactions with itself, which says nothing.
        guard insert(identity.payload) == .new else {
            repeatedReceipts += 1
            return
        }
        for transaction in identity.transactions where insert(transaction) == .again { sharedTransactions += 1 }
    }

    private enum Outcome {
        case new
        /// For the second time.
        case again
        case known
    }

    private mutating func insert(_ value: Int) -> Outcome {
        let hash = UInt64(bitPattern: Int64(value))
        let key = hash & ~1 == 0 ? 2 : hash & ~1
        var place = Int(truncatingIfNeeded: key >> 1) & (places.count - 1)
        while places[place] != 0 {
            if places[place] & ~1 == key {
                if places[place] & 1 == 1 { return .known }
                places[place] |= 1
                return .again
            }
            place = (place + 1) & (places.count - 1)
        }
        guard count < Self.limit else {
            isPartial = true
            return .new
        }
        places[place] = key
        count += 1
        if 2 * count > places.count { grow() }
        return .new
    }

    private mutating func grow() {
        let old = places
        places = [UInt64](repeating: 0, count: 2 * old.count)
        for entry in old where entry != 0 {
            var place = Int(truncatingIfNeeded: entry >> 1) & (places.count - 1)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = entry
        }
    }
}
