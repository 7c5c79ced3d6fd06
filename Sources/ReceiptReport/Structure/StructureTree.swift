import ReceiptASN1

/// One line of the tree of a BER encoding.
struct TreeLine {
    /// Where it is in the original bytes.
    var offset: Int
    /// Identifier and length octets; nil for lines that are not elements.
    var headerLength: Int?
    var contentLength: ContentLength = .none
    /// Levels below the outermost element.
    var depth: Int
    /// An element's label, or else its type.
    var name = ""
    var text: String
    var kind: Kind
    /// The kind of payload that begins with this element, where one does.
    var payload: Grammar.Payload?
    /// The type of the receipt attribute whose value this element is, where it is one.
    var attribute: UInt64?

    enum ContentLength: Equatable {
        case none
        case definite(Int)
        case indefinite
    }

    enum Kind {
        /// An element of the encoding itself.
        case element
        /// An element found inside the content of a primitive string.
        case opened
        /// A remark on the line before.
        case note
        /// Something that BER does not allow.
        case fault
    }
}

/// Walks any bytes as BER and reports every element; made for bytes that are damaged.
///
/// It is total: it never fails and never recurses, its work is bounded by the input's size times the depth
/// limit, and its output by the line limit. At a fault it says what is wrong and where, and goes on with what
/// can still be told apart: a length that runs past its parent is cut to the parent, and after a header that
/// cannot be read the rest of that parent is skipped.
struct StructureTree {
    /// Elements nested deeper are counted, not opened. Receipts use 18 levels.
    static let depthLimit = 64
    /// Lines after which the tree ends with a remark.
    static let lineLimit = 2_000_000

    private var buffers: [TreeBuffer]
    private var frames: [Frame] = []
    private var lines = 0
    /// Bytes copied to join pieces so far; bounded, so that strings of strings cannot multiply memory.
    private var joinedBytes = 0
    private let emit: (TreeLine) -> Bool
    private var isStopped = false

    /// One constructed element that is being walked, or the outermost level.
    private struct Frame {
        var buffer: Int
        var position: Int
        var end: Int
        var isIndefinite: Bool
        var depth: Int
        var grammar: Grammar
        var children = 0
        /// The dotted form of the last OBJECT IDENTIFIER among the children so far.
        var identifier: String?
        /// Whether this is the content of a string that was opened.
        var isOpened: Bool
        /// The octets of a constructed string's pieces, joined and walked when the frame ends.
        var joined: TreeBuffer?
        /// Where the element itself began, for faults that concern it.
        var start: Int
    }

    private init(_ bytes: [UInt8], emit: @escaping (TreeLine) -> Bool) {
        buffers = [TreeBuffer(bytes: bytes)]
        self.emit = emit
    }

    /// Walks the bytes. `emit` gets each line and answers whether to go on.
    static func walk(_ bytes: [UInt8], emit: @escaping (TreeLine) -> Bool) {
        var tree = StructureTree(bytes, emit: emit)
        tree.walk()
    }

    private mutating func walk() {
        if buffers[0].bytes.isEmpty {
            report(.fault, at: 0, depth: 0, "there are no bytes")
            return
        }
        frames = [
            Frame(
                buffer: 0, position: 0, end: buffers[0].bytes.count, isIndefinite: false, depth: 0,
                grammar: .outermost, isOpened: false, start: 0)
        ]
        while !isStopped, let frame = frames.last {
            if frame.position < frame.end {
                step(frame)
            } else {
                if frame.isIndefinite {
                    report(.fault, at: offset(frame, frame.end), depth: frame.depth, "end-of-contents is missing")
                }
                frames.removeLast()
                finish(frame)
            }
        }
    }

    /// Reads the next child of the innermost frame.
    private mutating func step(_ frame: Frame) {
        let top = frames.count - 1
        let bytes = buffers[frame.buffer].bytes
        let start = frame.position
        let header: ElementHeader
        do {
            header = try ElementHeader(at: start, in: bytes.span, end: frame.end)
        } catch {
            skipRest(of: frame, at: start, because: error.message)
            return
        }
        if frame.depth == 0 && frame.children == 1 && !frame.isOpened {
            let count = frame.end - start
            report(.fault, at: offset(frame, start), depth: 0, "\(count) bytes follow the end of the outermost element")
        }
        let contentStart = start + header.length
        let available = frame.end - contentStart
        let content = contentStart..<(contentStart + min(header.contentLength ?? available, available))

        if header.isEndOfContents {
            let text = "end-of-contents"
            emitElement(header, at: start, frame, name: text, text)
            frames[top].position = content.upperBound
            if frame.isIndefinite {
                frames.removeLast()
                if let parent = frames.indices.last { frames[parent].position = content.upperBound }
                finish(frame)
            } else {
                let message = "end-of-contents where no indefinite length is open"
                report(.fault, at: offset(frame, start), depth: frame.depth, message)
            }
            return
        }

        let naming = frame.grammar.name(
            child: frame.children, header: header, identifier: frame.identifier,
            content: bytes[content])
        frames[top].children += 1
        frames[top].position = content.upperBound
        if header.isUniversal(UniversalTag.objectIdentifier), !header.isConstructed {
            frames[top].identifier = ObjectIdentifier.dotted(bytes[content])
        }
        let description = describe(header, content: bytes[content], grammar: frame.grammar)
        emitElement(
            header, at: start, frame, name: naming.label ?? typeName(header),
            naming.label.map { "\($0): \(description)" } ?? description)
        if let length = header.contentLength, length > available {
            let message = "the length says \(length) bytes, \(available) follow"
            report(.fault, at: offset(frame, start), depth: frame.depth, message)
        }
        if header.isConstructed {
            enter(header, content: content, start: start, frame: frame, grammar: naming.grammar)
        } else if let inside = openable(header, content: content, frame: frame, naming: naming) {
            open(inside, frame: frame, buffer: frame.buffer, naming: naming, kind: "it holds")
        }
    }

    // MARK: - Going down

    private mutating func enter(
        _ header: ElementHeader, content: Range<Int>, start: Int, frame: Frame, grammar: Grammar
    ) {
        guard frame.depth + 1 < Self.depthLimit else {
            let message = "nested deeper than \(Self.depthLimit) levels: \(content.count) bytes are not opened"
            report(.note, at: offset(frame, content.lowerBound), depth: frame.depth + 1, message)
            if header.contentLength == nil { leaveIndefinite(to: content.upperBound) }
            return
        }
        var child = Frame(
            buffer: frame.buffer, position: content.lowerBound, end: content.upperBound,
            isIndefinite: header.contentLength == nil, depth: frame.depth + 1, grammar: grammar,
            isOpened: frame.isOpened, start: start)
        if header.isUniversal(UniversalTag.octetString) {
            child.grammar = .pieces(of: grammar)
            child.joined = buffers[frame.buffer].joiningPieces(content, indefinite: child.isIndefinite)
            if child.joined == nil { child.grammar = grammar }
        }
        frames.append(child)
    }

    /// The range of a primitive string's content that is one whole DER element, or nil.
    private func openable(
        _ header: ElementHeader, content: Range<Int>, frame: Frame, naming: Grammar.Naming
    ) -> Range<Int>? {
        if naming.isOpaque || frame.joined != nil || content.isEmpty { return nil }
        var inside = content
        switch header.tagClass {
        case .universal where header.number == UniversalTag.octetString: break
        case .universal where header.number == UniversalTag.bitString:
            guard buffers[frame.buffer].bytes[content.lowerBound] == 0 else { return nil }
            inside = (content.lowerBound + 1)..<content.upperBound
        default: return nil
        }
        let bytes = buffers[frame.buffer].bytes
        if isPlausibleBER(bytes, inside, depthLimit: Self.depthLimit) { return inside }
        // A payload is known by its shape, so a damaged one is opened too.
        if case .payload = naming.inside(bytes[inside]).grammar { return inside }
        return nil
    }

    private mutating func open(
        _ range: Range<Int>, frame: Frame, buffer: Int, naming: Grammar.Naming, kind: String
    ) {
        let bytes = buffers[buffer].bytes
        guard frame.depth + 1 < Self.depthLimit else { return }
        let grammar = naming.inside(bytes[range])
        if !grammar.isKnown {
            let message = "\(kind) what reads as BER (a guess):"
            report(.note, at: buffers[buffer].original(range.lowerBound), depth: frame.depth + 1, message)
        }
        frames.append(
            Frame(
                buffer: buffer, position: range.lowerBound, end: range.upperBound, isIndefinite: false,
                depth: frame.depth + 1, grammar: grammar.grammar, isOpened: true, start: range.lowerBound))
    }

    // MARK: - Going up

    /// After a frame was left: opens the joined pieces of a constructed string.
    private mutating func finish(_ frame: Frame) {
        guard let joined = frame.joined, case .pieces(let grammar) = frame.grammar, joined.bytes.count > 0 else {
            return
        }
        let range = 0..<joined.bytes.count
        guard
            joinedBytes + joined.bytes.count <= 4 * buffers[0].bytes.count,
            isPlausibleBER(joined.bytes, range, depthLimit: Self.depthLimit)
        else { return }
        joinedBytes += joined.bytes.count
        buffers.append(joined)
        var outer = frame
        outer.depth -= 1
        let count = frame.children
        let message = "the \(count) pieces, joined:"
        report(.note, at: joined.original(0), depth: outer.depth + 1, message)
        open(
            range, frame: outer, buffer: buffers.count - 1, naming: Grammar.Naming(label: nil, grammar: grammar),
            kind: "they hold")
    }

    /// Gives up on the innermost frame's remaining bytes.
    private mutating func skipRest(of frame: Frame, at position: Int, because reason: String) {
        let rest = buffers[frame.buffer].bytes[position..<frame.end]
        let shown = hex(rest.prefix(16)) + (rest.count > 16 ? "…" : "")
        let message = "\(reason): \(rest.count) bytes are left, \(shown)"
        report(.fault, at: offset(frame, position), depth: frame.depth, message)
        leaveIndefinite(to: frame.end)
        if let top = frames.indices.last { frames[top].position = max(frames[top].position, frame.end) }
    }

    /// Leaves every enclosing element of indefinite length: where they end cannot be known any more.
    private mutating func leaveIndefinite(to end: Int) {
        while let frame = frames.last, frame.isIndefinite { frames.removeLast() }
        if let top = frames.indices.last { frames[top].position = max(frames[top].position, end) }
    }

    // MARK: - Reporting

    private func offset(_ frame: Frame, _ position: Int) -> Int { buffers[frame.buffer].original(position) }

    private mutating func emitElement(
        _ header: ElementHeader, at position: Int, _ frame: Frame, name: String, _ text: String
    ) {
        put(
            TreeLine(
                offset: offset(frame, position), headerLength: header.length,
                contentLength: header.contentLength.map { .definite($0) } ?? .indefinite, depth: frame.depth,
                name: name, text: header.isMinimal ? text : text + "  (header longer than needed)",
                kind: frame.isOpened ? .opened : .element, payload: frame.grammar.payload,
                attribute: frame.grammar.attribute))
    }

    private mutating func report(_ kind: TreeLine.Kind, at offset: Int, depth: Int, _ message: String) {
        put(TreeLine(offset: offset, headerLength: nil, depth: depth, text: message, kind: kind))
    }

    private mutating func put(_ line: TreeLine) {
        if isStopped { return }
        lines += 1
        if lines == Self.lineLimit {
            let message = "the tree is cut here, at \(Self.lineLimit) lines"
            isStopped = true
            _ = emit(TreeLine(offset: line.offset, headerLength: nil, depth: 0, text: message, kind: .note))
            return
        }
        if !emit(line) { isStopped = true }
    }
}
