import ReceiptForge

/// Damage at random places of a tree, all lengths around it written anew: what a fuzzer of bytes seldom finds.
struct TreeMutation {
    var random: ForgeRandom

    init(seed: UInt64) { random = ForgeRandom(seed: seed) }

    /// Identifiers to be put in one another's place.
    ///
    /// Not those of extensions that libcrypto reads and we do not, such as extended key usage: where they are not critical
    /// we need not know them (RFC 5280 section 4.2), and a malformed one is nothing to us.
    private static let identifiers: [[UInt]] = [
        [1, 2, 840, 113549, 1, 1, 1], [1, 2, 840, 113549, 1, 1, 4], [1, 2, 840, 113549, 1, 1, 5],
        [1, 2, 840, 113549, 1, 1, 10], [1, 2, 840, 113549, 1, 1, 11], [1, 2, 840, 113549, 1, 1, 13],
        [1, 2, 840, 10045, 4, 3, 2], [1, 3, 14, 3, 2, 26], [2, 16, 840, 1, 101, 3, 4, 2, 1],
        [2, 16, 840, 1, 101, 3, 4, 2, 3], [1, 2, 840, 113549, 2, 5], [1, 2, 840, 113549, 1, 7, 1],
        [2, 5, 29, 15], [2, 5, 29, 19], [2, 5, 29, 14], [2, 5, 29, 35], ChainTemplate.leafMarker,
        ChainTemplate.intermediateMarker,
    ]

    mutating func mutate(_ root: inout BERNode) {
        var paths: [[Int]] = []
        Self.collect(root, [], &paths)
        guard let path = paths.randomElement(using: &random), let last = path.last else { return }
        let parent = Array(path.dropLast())
        switch Int.random(in: 0..<8, using: &random) {
        case 0: root[parent].children.remove(at: last)
        case 1: root[parent].children.insert(root[path], at: last)
        case 2:
            let other = Int.random(in: 0..<root[parent].children.count, using: &random)
            root[parent].children.swapAt(last, other)
        case 3:
            // An element from elsewhere.
            if let other = paths.randomElement(using: &random) { root[path] = root[other] }
        case 4: root[path].tag.number = UInt.random(in: 1...30, using: &random)
        case 5 where root[path].tag.number == 6:
            root[path] = .oid(Self.identifiers.randomElement(using: &random) ?? [1, 2, 3])
        default: mutateContent(&root[path])
        }
    }

    private mutating func mutateContent(_ node: inout BERNode) {
        guard case .bytes(var bytes) = node.content else {
            node.length = [.indefinite, .octets(4), .minimal].randomElement(using: &random) ?? .minimal
            return
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !bytes.isEmpty:
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1: bytes.append(UInt8.random(in: .min ... .max, using: &random))
        case 2 where !bytes.isEmpty: bytes.removeLast()
        default: bytes = [[], [0], [0xFF], [0, 0x80], [1]].randomElement(using: &random) ?? []
        }
        node.content = .bytes(bytes)
    }

    private static func collect(_ node: BERNode, _ path: [Int], _ paths: inout [[Int]]) {
        for (index, child) in node.children.enumerated() {
            paths.append(path + [index])
            collect(child, path + [index], &paths)
        }
    }
}
