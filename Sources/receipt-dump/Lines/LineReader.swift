/// Something that gives its bytes in pieces.
protocol ByteStream: AnyObject {
    /// Reads the next bytes into a part of a buffer, and gives their number; 0 at the end.
    func read(into buffer: inout [UInt8], _ part: Range<Int>) throws(ReadError) -> Int
}

/// Whole lines that are worked on together.
struct LineBatch: Sendable {
    /// Where the lines are, as they were read, and room behind them.
    var bytes: [UInt8] = []
    var byteCount = 0
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
/// a line, so that whoever writes one line and waits for its answer is not kept waiting. Lines stay where they were read:
/// only the beginning of one whose end is in the next batch is copied.
struct LineReader {
    /// Longer lines are answered without being decoded. Apple's endpoint takes 3 MiB.
    static let lineLimit = 4 << 20
    static let chunk = 256 << 10

    private var stream: any ByteStream
    private let buffers: BufferPool
    /// The beginning of a line whose end was not read yet.
    private var pending: [UInt8] = []
    /// Bytes of the current line that were thrown away because it is too long.
    private var droppedByteCount = 0
    private var isAtEnd = false

    init(_ stream: any ByteStream, _ buffers: BufferPool) {
        self.stream = stream
        self.buffers = buffers
    }

    /// The next batch; nil at the end.
    mutating func next() throws(ReadError) -> LineBatch? {
        if isAtEnd { return nil }
        var batch = LineBatch(bytes: buffers.take())
        batch.bytes.makeRoom(for: pending.count + Self.chunk)
        // There is room for it.
        unsafe batch.bytes.withUnsafeMutableBytes { unsafe $0.copyBytes(from: pending) }
        var end = pending.count
        pending = []
        while batch.lines.isEmpty {
            batch.bytes.makeRoom(for: end + Self.chunk)
            let start = end
            end += try stream.read(into: &batch.bytes, start..<start + Self.chunk)
            batch.inputByteCount += end - start
            if start == end {
                isAtEnd = true
                if end > 0 || droppedByteCount > 0 { finishLine(0..<end, &batch) }
                batch.byteCount = end
                return batch.lines.isEmpty ? nil : batch
            }
            let rest = split(&batch, from: start, to: end)
            if batch.lines.isEmpty, end > Self.lineLimit || droppedByteCount > 0 {
                droppedByteCount += end
                end = 0
            } else {
                pending = batch.lines.isEmpty ? [] : Array(batch.bytes[rest..<end])
            }
        }
        batch.byteCount = end
        return batch
    }

    /// Finds the lines that end in a part of what was read, and gives where the last one's end is.
    private mutating func split(_ batch: inout LineBatch, from searched: Int, to end: Int) -> Int {
        var start = 0
        var searched = searched
        while let lineFeed = indexOfLineFeed(in: batch.bytes, searched..<end) {
            finishLine(start..<lineFeed, &batch)
            start = lineFeed + 1
            searched = start
        }
        return start
    }

    private mutating func finishLine(_ line: Range<Int>, _ batch: inout LineBatch) {
        if droppedByteCount > 0 || line.count > Self.lineLimit {
            batch.lines.append(.tooLong(droppedByteCount + line.count))
            droppedByteCount = 0
            return
        }
        let hasCarriageReturn = !line.isEmpty && batch.bytes[line.upperBound - 1] == 0x0D
        batch.lines.append(.text(hasCarriageReturn ? line.dropLast() : line))
    }
}

extension [UInt8] {
    /// Makes the array at least so long.
    fileprivate mutating func makeRoom(for room: Int) {
        if count < room { append(contentsOf: [UInt8](repeating: 0, count: room - count)) }
    }
}
