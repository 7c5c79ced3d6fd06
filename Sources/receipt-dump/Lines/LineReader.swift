/// Something that gives its bytes in pieces.
protocol ByteStream: AnyObject {
    /// The next bytes, at most some number; empty at the end.
    func read(upTo count: Int) throws(ReadError) -> [UInt8]
}

/// Whole lines that are worked on together.
struct LineBatch: Sendable {
    /// The lines' bytes, one after the other, without their ends.
    var bytes: [UInt8] = []
    var lines: [Line] = []
    /// Bytes of input that the batch stands for.
    var inputByteCount = 0

    enum Line: Sendable {
        case text(Range<Int>)
        /// A line longer than ``LineReader/lineLimit``, with its length; its bytes were not kept.
        case tooLong(Int)
    }
}

/// Cuts a stream into batches of lines, keeping no more in memory than a batch and one line.
///
/// A line ends with LF or CRLF; the last one may lack its end. A batch is handed out as soon as a read has completed
/// a line, so that whoever writes one line and waits for its answer is not kept waiting.
struct LineReader {
    /// Longer lines are answered without being decoded. Apple's endpoint takes 3 MiB.
    static let lineLimit = 4 << 20
    static let chunk = 256 << 10

    private var stream: any ByteStream
    /// The beginning of a line whose end was not read yet.
    private var pending: [UInt8] = []
    /// Bytes of the current line that were thrown away because it is too long.
    private var droppedByteCount = 0
    private var isAtEnd = false

    init(_ stream: any ByteStream) { self.stream = stream }

    /// The next batch; nil at the end.
    mutating func next() throws(ReadError) -> LineBatch? {
        var batch = LineBatch()
        while batch.lines.isEmpty {
            if isAtEnd { return nil }
            let bytes = try stream.read(upTo: Self.chunk)
            batch.inputByteCount += bytes.count
            if bytes.isEmpty {
                isAtEnd = true
                if !pending.isEmpty || droppedByteCount > 0 { finishLine([], into: &batch) }
            } else {
                split(bytes, into: &batch)
            }
        }
        return batch
    }

    private mutating func split(_ bytes: [UInt8], into batch: inout LineBatch) {
        var start = 0
        while let end = indexOfLineFeed(in: bytes, from: start) {
            finishLine(bytes[start..<end], into: &batch)
            start = end + 1
        }
        keep(bytes[start...])
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        if droppedByteCount > 0 || pending.count + bytes.count > Self.lineLimit {
            droppedByteCount += pending.count + bytes.count
            pending = []
        } else {
            pending += bytes
        }
    }

    private mutating func finishLine(_ rest: ArraySlice<UInt8>, into batch: inout LineBatch) {
        if pending.isEmpty && droppedByteCount == 0 && rest.count <= Self.lineLimit {
            // Most lines lie wholly in what was read.
            append(rest, to: &batch)
            return
        }
        keep(rest)
        if droppedByteCount > 0 {
            batch.lines.append(.tooLong(droppedByteCount))
            droppedByteCount = 0
            return
        }
        append(pending[...], to: &batch)
        pending.removeAll(keepingCapacity: pending.count < Self.chunk)
    }

    private func append(_ line: ArraySlice<UInt8>, to batch: inout LineBatch) {
        let start = batch.bytes.count
        batch.bytes += line.last == 0x0D ? line.dropLast() : line
        batch.lines.append(.text(start..<batch.bytes.count))
    }
}
