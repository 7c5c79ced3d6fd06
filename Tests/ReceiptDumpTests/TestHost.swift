import AppStoreReceipt
import Foundation
import TestSupport

@testable import ReceiptReport
@testable import receipt_dump

/// A host that keeps what the tool writes, and whose files are a dictionary.
final class TestHost: ByteSource, @unchecked Sendable {
    final class Sink: ByteSink {
        var bytes: [UInt8] = []
        /// Writes allowed before the reader goes away.
        var writesUntilClosed = Int.max
        func write(_ bytes: [UInt8]) throws(WriteError) {
            guard writesUntilClosed > 0 else { throw .closed }
            writesUntilClosed -= 1
            self.bytes += bytes
        }
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    let output = Sink()
    let errors = Sink()
    var files: [Input: [UInt8]] = [:]
    var terminal = Host.Terminal()
    var inputIsTerminal = false
    var now = ReceiptDate(millisecondsSince1970: 1_796_000_000_000)

    init(_ files: [Input: [UInt8]] = [:]) { self.files = files }

    func read(_ input: Input) throws(ReadError) -> [UInt8] {
        guard let bytes = files[input] else { throw ReadError(message: "no such file or directory") }
        return bytes
    }

    /// How many bytes a stream gives at a time.
    var pieceSize = Int.max

    func size(_ input: Input) -> Int? { files[input]?.count }

    func open(_ input: Input, _ interruption: Interruption) throws(ReadError) -> any ByteStream {
        MemoryStream(try read(input), pieceSize)
    }

    final class MemoryStream: ByteStream {
        private let bytes: [UInt8]
        private let pieceSize: Int
        private var position = 0

        init(_ bytes: [UInt8], _ pieceSize: Int) {
            self.bytes = bytes
            self.pieceSize = pieceSize
        }

        func read(into buffer: inout [UInt8], _ part: Range<Int>) -> Int {
            let end = min(position + min(part.count, pieceSize), bytes.count)
            defer { position = end }
            buffer.replaceSubrange(part.prefix(end - position), with: bytes[position..<end])
            return end - position
        }
    }

    func run(_ arguments: String...) -> Int32 { run(arguments) }

    func run(_ arguments: [String]) -> Int32 {
        let host = Host(
            output: output, errors: errors, files: self, outputTerminal: terminal, inputIsTerminal: inputIsTerminal,
            now: { self.now })
        return receipt_dump.run(arguments, host: host)
    }
}

/// The real binary, beside the test bundle.
enum Binary {
    static let path: String = {
        // The tests run from the products' folder, in debug and in release.
        let executable = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return executable.deletingLastPathComponent().appending(path: "receipt-dump").path(percentEncoded: false)
    }()

    struct Result {
        var status: Int32
        var output: [UInt8]
        var errors: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a program with bytes for its standard input.
    static func run(
        program: String = Binary.path, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = ["in", "out", "err"].map { folder.appending(path: $0) }
        try Data(input).write(to: names[0])
        try Data().write(to: names[1])
        try Data().write(to: names[2])

        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: names[0])
        process.standardOutput = try FileHandle(forWritingTo: names[1])
        process.standardError = try FileHandle(forWritingTo: names[2])
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: [UInt8](try Data(contentsOf: names[1])),
            errors: String(decoding: try Data(contentsOf: names[2]), as: UTF8.self))
    }
}

/// The corpus' receipts of some suffix, or one hand-made file when there is no corpus.
func corpusReceipts(_ suffix: String = ".der") -> [String] { Corpus.paths("receipts", suffix: suffix) }
