/// Rewrites BER as DER where the two differ in form only: indefinite lengths become definite, lengths
/// become minimal, and an OCTET STRING in segments becomes one piece.
///
/// Xcode's StoreKit Test receipts and App Attest receipts need it: they are BER with indefinite lengths,
/// and their content is a constructed OCTET STRING. Everything behind the normaliser is strict DER.
///
/// Not changed: the order of a SET OF (Xcode does not sort), the content of primitive elements, and the
/// elements under `preserved` (certificates and CRLs), which are signed as they stand: rewriting them would
/// let a certificate verify that was never signed in that form.
package struct BERNormalizer {
    /// Elements whose children are copied as they arrived: those with one of `tags` at `depth` (the outermost has 0).
    package struct Preserved: Sendable {
        let depth: Int
        let tags: [Tag]

        package init(depth: Int, tags: [Tag]) {
            self.depth = depth
            self.tags = tags
        }
    }

    private struct Node {
        enum Kind { case constructed, copied, string, segment }
        let kind: Kind
        let tag: Tag
        /// Where the element begins in the input.
        let start: Int
        /// Where the element's content, or for `copied` the whole element, begins in the input.
        let source: Int
        /// Octets of content in the output; for constructed ones the sum over the children.
        var count: Int
        let parent: Int
    }

    /// An element whose end has not been reached.
    private struct Open {
        let node: Int
        /// Where the element ends, or for an indefinite length where the enclosing definite one does.
        let limit: Int
        let isIndefinite: Bool
        let depth: Int
        let isPreserved: Bool
        let isString: Bool
    }

    private var nodes: [Node] = []
    /// Elements met; segments in segments have no node of their own.
    private var elementCount = 0

    /// The one element that makes up the input, as DER.
    ///
    /// Throws when the input is not one well-formed BER element, or exceeds a limit; offsets are into the input.
    package static func normalize(
        _ input: Span<UInt8>, preserving preserved: Preserved, limits: DecodingLimits, _ field: StaticString
    ) throws(ReceiptDecodingError) -> [UInt8] {
        var normalizer = BERNormalizer()
        try normalizer.scan(input, preserved, limits, field)
        return normalizer.write(input).bytes
    }

    /// The offset in the input of what stands at an offset of the normalised bytes. For reporting errors.
    package static func originalOffset(
        of offset: Int, in input: Span<UInt8>, preserving preserved: Preserved, limits: DecodingLimits,
        _ field: StaticString
    ) -> Int {
        var normalizer = BERNormalizer()
        do { try normalizer.scan(input, preserved, limits, field) } catch { return error.offset }
        let pieces = normalizer.write(input).pieces
        guard let piece = pieces.last(where: { $0.output <= offset }) else { return 0 }
        return min(piece.source + (offset - piece.output), input.count)
    }

    /// First pass: finds every element and the length that its content will have.
    private mutating func scan(
        _ input: Span<UInt8>, _ preserved: Preserved, _ limits: DecodingLimits, _ field: StaticString
    ) throws(ReceiptDecodingError) {
        guard input.count <= limits.bytes else { throw .fault(.inputTooLong, limits.bytes, field) }
        var position = 0
        var open: [Open] = []
        repeat {
            if let innermost = open.last {
                if innermost.isIndefinite {
                    guard position < innermost.limit else { throw .fault(.missingEndOfContents, position, field) }
                    if input[position] == 0 {
                        guard innermost.limit - position >= 2 else { throw .fault(.truncated, position, field) }
                        // X.690 8.1.5: end-of-contents is two zero octets.
                        guard input[position + 1] == 0 else { throw .fault(.unsupportedTag, position, field) }
                        position += 2
                        open.removeLast()
                        continue
                    }
                } else if position == innermost.limit {
                    open.removeLast()
                    continue
                }
            }
            try scanElement(input, &position, &open, preserved, limits, field)
        } while !open.isEmpty
        try input.end(Cursor(position, input.count), field)
        // Children stand behind their parents: from the end, every sum is complete before it is passed on.
        for index in nodes.indices.reversed() where nodes[index].parent >= 0 {
            nodes[nodes[index].parent].count += encodedCount(nodes[index])
        }
    }

    private mutating func scanElement(
        _ input: Span<UInt8>, _ position: inout Int, _ open: inout [Open], _ preserved: Preserved,
        _ limits: DecodingLimits, _ field: StaticString
    ) throws(ReceiptDecodingError) {
        let parent = open.last
        let depth = parent.map { $0.depth + 1 } ?? 0
        let start = position
        let header = try input.readHeader(Cursor(start, parent?.limit ?? input.count), .ber, field)
        position += header.length
        let length = header.contentLength
        let tag = Tag(identifier: header.identifier)
        guard tag.identifier != 0 else { throw .fault(.unexpectedEndOfContents, start, field) }
        guard depth < limits.depth else { throw .fault(.nestedTooDeeply, start, field) }
        guard elementCount < limits.elements else { throw .fault(.tooManyElements, start, field) }
        elementCount += 1
        let isInString = parent?.isString ?? false
        guard !isInString || tag == .octetString || tag == .constructedOctetString else {
            throw .fault(.invalidStringSegment, start, field, detail: "found \(tag)")
        }
        if parent?.isPreserved ?? false {
            guard let length else { throw .fault(.indefiniteLength, start + 1, field) }
            position += length
            append(.copied, tag, start, source: start, count: position - start, parent)
        } else if tag.isConstructed {
            let isString = tag == .constructedOctetString
            // The segments of a segment belong to the same string (X.690 8.7.3.2).
            if !isInString { append(isString ? .string : .constructed, tag, start, source: position, count: 0, parent) }
            open.append(
                Open(
                    node: isInString ? (parent?.node ?? 0) : nodes.count - 1,
                    limit: length.map { position + $0 } ?? parent?.limit ?? input.count,
                    isIndefinite: length == nil, depth: depth,
                    isPreserved: depth == preserved.depth && preserved.tags.contains(tag), isString: isString))
        } else {
            guard let length else { throw .fault(.indefiniteLength, start + 1, field) }
            append(isInString ? .segment : .constructed, tag, start, source: position, count: length, parent)
            position += length
        }
    }

    private mutating func append(
        _ kind: Node.Kind, _ tag: Tag, _ start: Int, source: Int, count: Int, _ parent: Open?
    ) {
        nodes.append(
            Node(kind: kind, tag: tag, start: start, source: source, count: count, parent: parent?.node ?? -1))
    }

    private func encodedCount(_ node: Node) -> Int {
        switch node.kind {
        case .copied, .segment: node.count
        case .constructed, .string: Self.headerCount(node.count) + node.count
        }
    }

    /// Second pass: headers and contents, in order; and where in the input each piece came from.
    private func write(_ input: Span<UInt8>) -> (bytes: [UInt8], pieces: [(output: Int, source: Int)]) {
        guard let root = nodes.first else { return ([], []) }
        var output: [UInt8] = []
        var pieces: [(output: Int, source: Int)] = []
        output.reserveCapacity(encodedCount(root))
        for node in nodes {
            switch node.kind {
            case .copied, .segment: break
            case .constructed, .string:
                pieces.append((output.count, node.start))
                let tag = node.kind == .string ? Tag.octetString : node.tag
                Self.appendHeader(tag, node.count, &output)
                if tag.isConstructed || node.kind == .string { continue }
            }
            pieces.append((output.count, node.source))
            output.append(copying: input.extracting(node.source..<node.source + node.count))
        }
        return (output, pieces)
    }

    private static func headerCount(_ count: Int) -> Int {
        var octets = 2
        if count >= 0x80 {
            var rest = count
            while rest > 0 {
                octets += 1
                rest >>= 8
            }
        }
        return octets
    }

    private static func appendHeader(_ tag: Tag, _ count: Int, _ output: inout [UInt8]) {
        output.append(tag.identifier)
        guard count >= 0x80 else { return output.append(UInt8(count)) }
        let octets = headerCount(count) - 2
        output.append(0x80 | UInt8(octets))
        for index in (0..<octets).reversed() { output.append(UInt8(truncatingIfNeeded: count >> (index * 8))) }
    }
}

extension [UInt8] {
    /// Appends a span's bytes.
    package mutating func append(copying span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
