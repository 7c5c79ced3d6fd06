/// What the reader is willing to take. Every limit is applied before the part it bounds is read.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the text. Default 262,144, fourteen times the longest genuine notification.
    package var bytes: Int
    /// Depth of nested objects and arrays, the outermost being 1. Default 16; Apple documents 4.
    package var depth: Int
    /// Members of one object, or elements of one array. Default 256; about 36 members are documented.
    package var members: Int
    /// Values in the whole text. Default 16,384: genuine payloads have below 100, and the time that a text of short
    /// values takes goes with their number.
    package var values: Int
    /// Whether a name may stand twice in an object; which counts is for its reader to say. Default false.
    package var repeatsNames = false

    package init(bytes: Int = 262_144, depth: Int = 16, members: Int = 256, values: Int = 16_384) {
        // Offsets are kept in 32 bits, and nesting takes stack.
        self.bytes = min(bytes, Int(Int32.max))
        self.depth = min(depth, 64)
        self.members = members
        self.values = values
    }

    package static let `default` = JSONLimits()
}
