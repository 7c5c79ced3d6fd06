import CReceiptBench

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Why the benchmark cannot go on.
struct BenchError: Error {
    let message: String
    var exitCode: Int32 = 70

    init(_ message: String, exitCode: Int32 = 70) {
        self.message = message
        self.exitCode = exitCode
    }
}

enum System {
    /// The bytes of a file.
    static func read(_ path: String) throws(BenchError) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else {
            throw BenchError("cannot read '\(path)'", exitCode: 66)
        }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        guard unsafe ferror(file) == 0 else { throw BenchError("cannot read '\(path)'", exitCode: 66) }
        return bytes
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// Writes bytes to a file, in place of what it held.
    static func save(_ bytes: [UInt8], to path: String) throws(BenchError) {
        guard let file = unsafe fopen(path, "wb") else { throw BenchError("cannot write '\(path)'") }
        let written = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        guard unsafe fclose(file) == 0, written == bytes.count else { throw BenchError("cannot write '\(path)'") }
    }

    /// Writes bytes to a new file that only this user can read, and returns its path.
    static func writeTemporary(_ bytes: [UInt8]) throws(BenchError) -> String {
        var template = Array("/tmp/receipt-bench-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw BenchError("cannot make a temporary file") }
        defer { close(descriptor) }
        let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        let path = String(decoding: template.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard written == bytes.count else { throw BenchError("cannot write a temporary file") }
        return path
    }

    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Runs a shell command; its output and exit code.
    static func run(_ command: String) -> (output: String, code: Int32) {
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        let code = unsafe buffer.withUnsafeMutableBufferPointer {
            unsafe bench_command(command, $0.baseAddress, $0.count)
        }
        let end = buffer.firstIndex(of: 0) ?? 0
        return (String(decoding: buffer[..<end].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self), code)
    }

    static func writeError(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Keeps a value from being optimised away.
@inline(never)
func keep<Value>(_ value: borrowing Value) {}
