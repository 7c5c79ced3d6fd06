/// Counts repairs while they are made. Counting costs no allocation and no comparison of strings, because a hostile
/// text needs a repair at every character.
package struct RepairTally: Sendable {
    /// One place for each kind. There is room for more kinds than there are; a test holds the room against the kinds.
    package static let room = 64
    private var counts = InlineArray<64, Int>(repeating: 0)
    private var offsets = InlineArray<64, Int>(repeating: .max)

    package init() {}

    mutating func note(_ kind: RepairKind, at offset: Int, count: Int = 1) {
        guard count > 0 else { return }
        counts[kind.rawValue] += count
        offsets[kind.rawValue] = min(offsets[kind.rawValue], offset)
    }

    func has(_ kind: RepairKind) -> Bool { counts[kind.rawValue] > 0 }

    mutating func merge(_ other: RepairTally) {
        for kind in RepairKind.allCases where other.has(kind) {
            note(kind, at: other.offsets[kind.rawValue], count: other.counts[kind.rawValue])
        }
    }

    /// Turns offsets in an inner text into offsets in the one around it.
    mutating func mapOffsets(_ transform: (Int) -> Int) {
        for kind in RepairKind.allCases where has(kind) { offsets[kind.rawValue] = transform(offsets[kind.rawValue]) }
    }

    /// What was counted, by the offset of the first occurrence.
    package var repairs: [(kind: RepairKind, offset: Int, count: Int)] {
        var found: [(kind: RepairKind, offset: Int, count: Int)] = []
        for kind in RepairKind.allCases where has(kind) {
            found.append((kind, offsets[kind.rawValue], counts[kind.rawValue]))
        }
        return found.count < 2 ? found : found.sorted { ($0.offset, $0.kind.code) < ($1.offset, $1.kind.code) }
    }
}
