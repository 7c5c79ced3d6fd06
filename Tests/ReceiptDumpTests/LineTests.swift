import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

@Suite struct LineTests {
    /// Every kind of line, and the verdict that it gets.
    static let lines: [(text: String, verdict: String)] = {
        var lines: [(String, String)] = []
        do {
            var receipt = ForgedReceipt(environment: .sandbox)
            receipt.purchases = [.consumable("coins"), .autoRenewable("pro")]
            let message = try receipt.signed()
            lines.append((message.base64, "valid"))
            lines.append(("{\"receipt-data\":\"\(message.base64)\",\"id\":\"order \\u2028 7\"}", "valid"))
            lines.append(
                ("{\"id\":12345678901234567890,\"latest_receipt\":\"\(message.text(.escapedSlashes))\"}", "valid"))
            lines.append((message.text(.base64URL), "valid"))
            lines.append((message.text(.percentEncoded), "valid"))
            lines.append(("", "undecodable"))
            lines.append(("hello", "undecodable"))
            lines.append((String(message.base64.prefix(500)), "undecodable"))
            lines.append(("{\"id\":1}", "undecodable"))
            var edited = message.bytes
            edited[edited.count - 1] ^= 1
            lines.append((Data(edited).base64EncodedString(), "rejected"))
            for seed in 0..<40 {
                var other = ForgedReceipt(bundleID: "com.example.app\(seed % 3)", seed: UInt64(seed))
                other.purchases = (0..<(seed % 7)).map { .consumable("p\($0)").transaction("\(seed)-\($0)") }
                lines.append((try other.signed().base64, "valid"))
            }
        } catch {
            Issue.record("\(error)")
        }
        return lines
    }()
    static let input = Array(lines.map { $0.text + "\n" }.joined().utf8)
    static let root: [UInt8] = {
        do { return try ForgedPKI().root.der } catch { return [] }
    }()

    struct Line: Decodable {
        enum Identifier: Decodable, Equatable {
            case text(String)
            case number(Decimal)
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self = .text(text)
                } else {
                    self = .number(try container.decode(Decimal.self))
                }
            }
        }
        var id: Identifier?
        var verdict: String
        var reason: String?
        var bundleId: String?
        var inApp: [[String: AnyValue]]?
    }

    static func read(_ output: [UInt8]) throws -> [Line] {
        try output.split(separator: 0x0A).map { try Report.snakeCaseDecoder.decode(Line.self, from: Data($0)) }
    }

    static func run(_ input: [UInt8], _ arguments: [String], pieceSize: Int = .max) -> (host: TestHost, status: Int32) {
        let host = TestHost([.standardInput: input, .file("root"): root])
        host.pieceSize = pieceSize
        let status = host.run(["--lines", "--root", "root"] + arguments)
        return (host, status)
    }

    /// One answer a line, in order, the same for any number of threads and any pieces that the input comes in.
    @Test(arguments: [[], ["--brief"], ["--redact-key", "key"], ["--format", "verify-receipt"]])
    func answersAreInOrderHoweverTheWorkIsDivided(options: [String]) throws {
        let (one, status) = Self.run(Self.input, options + ["--jobs", "1"])
        #expect(status == 0)
        let expected = one.output.bytes
        #expect(expected.count { $0 == 0x0A } == Self.lines.count)
        if options.first != "--format" {
            #expect(try Self.read(expected).map(\.verdict) == Self.lines.map(\.verdict))
        }
        for (jobs, pieceSize) in [(1, 7), (2, 1_000), (3, 70_000), (16, 4_096), (5, .max)] {
            let (host, _) = Self.run(Self.input, options + ["--jobs", "\(jobs)"], pieceSize: pieceSize)
            #expect(host.output.bytes == expected, "\(jobs) jobs, pieces of \(pieceSize)")
        }
        let crlf = Self.input.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        #expect(Self.run(crlf, options).host.output.bytes == expected)
        #expect(
            Self.run(Array(Self.input.dropLast()), options).host.output.bytes == expected, "without the last line's end"
        )
    }

    @Test func identifiersAreEchoed() throws {
        let lines = try Self.read(Self.run(Self.input, ["--brief"]).host.output.bytes)
        #expect(lines[0].id == nil)
        #expect(lines[1].id == .text("order \u{2028} 7"))
        #expect(lines[2].id == .number(Decimal(string: "12345678901234567890") ?? 0))
        #expect(
            Self.run(Self.input, []).host.output.text.contains("{\"id\":12345678901234567890,\"schema\":1,\"input\""))
        #expect(lines[0].inApp?.map { $0["product_id"] } == [.text("coins"), .text("pro")])
        #expect(lines[0].bundleId == "com.example.app")
    }

    /// A whole answer is what `--format json` says of the same text.
    @Test func wholeAnswersEqualSingleReports() throws {
        let (host, _) = Self.run(Self.input, [])
        for (line, output) in zip(Self.lines, host.output.text.split(separator: "\n")) {
            let single = TestHost([.standardInput: Array(line.text.utf8), .file("root"): Self.root])
            _ = single.run("--format", "json", "--root", "root")
            let alone = try JSONDecoder().decode(AnyValue.self, from: Data(single.output.bytes))
            var inLines = try JSONDecoder().decode(AnyValue.self, from: Data(output.utf8))
            inLines.remove("id")
            #expect(alone == inLines)
        }
    }

    /// Lines at and above the limit; the one above is an answer, and the next one is not lost.
    @Test func longLines() throws {
        let limit = LineReader.lineLimit
        let input =
            Array(repeating: UInt8(ascii: "A"), count: limit) + [0x0A]
            + Array(repeating: UInt8(ascii: "A"), count: limit + 1) + [0x0A] + Array((Self.lines[0].text + "\n").utf8)
            + Array(repeating: UInt8(ascii: "A"), count: 3 * limit)
        for pieceSize in [Int.max, 100_000] {
            let (host, status) = Self.run(input, [], pieceSize: pieceSize)
            #expect(status == 0)
            let lines = try Self.read(host.output.bytes)
            #expect(lines.map(\.verdict) == ["undecodable", "undecodable", "valid", "undecodable"])
            #expect(lines.map { $0.reason == "input-too-long" } == [false, true, false, true])
            #expect(host.output.text.contains("\(limit + 1) bytes, and at most \(limit) are accepted"))
        }
    }

    @Test func summaryCounts() {
        let (host, _) = Self.run(Self.input + Self.input, ["--brief"])
        let summary = host.errors.text
        #expect(summary.hasPrefix("receipt-dump: 100 lines"))
        #expect(summary.contains("valid 90, undecodable 8, rejected 2"))
        #expect(summary.contains("signature-mismatch 2"))
        #expect(summary.contains("0 of the valid receipts, 0 %"))
        #expect(summary.contains("is new to this version"))
        #expect(Self.run(Self.input, ["--quiet"]).host.errors.text.isEmpty)
        #expect(Self.run([], []).host.errors.text == "receipt-dump: 0 lines\n")
    }

    /// Transactions count once however many receipts share them; a receipt that is sent again shares nothing.
    @Test func duplicates() {
        var counter = DuplicateCounter()
        counter.add(.init(payload: 100, transactions: [2, 4, 6]))
        counter.add(.init(payload: 100, transactions: [2, 4, 6]))
        counter.add(.init(payload: 102, transactions: [2, 4, 8]))
        counter.add(.init(payload: 104, transactions: [2]))
        #expect(counter.repeatedReceipts == 1)
        #expect(counter.sharedTransactions == 2)
        for number in 0..<5_000 {
            counter.add(.init(payload: "payload \(number)".hashValue, transactions: [1_000 + 2 * number]))
        }
        #expect(counter.sharedTransactions == 2 && !counter.isPartial)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (100_000, "100,000"), (-12, "-12"),
    ])
    func numbersInGroups(number: Int, expected: String) { #expect(grouped(number) == expected) }

    @Test(arguments: [(59, "59 s"), (60, "1 min 0 s"), (3_599, "59 min 59 s"), (7_265, "2 h 1 min")])
    func durations(seconds: Int, expected: String) { #expect(Progress.duration(seconds) == expected) }

    @Test(arguments: [
        (["--brief"], "--brief is for --lines only"), (["--jobs", "2"], "--jobs is for --lines only"),
        (["-q"], "--quiet is for --lines only"),
        (["--lines", "--jobs", "0"], "--jobs must be a number from 1 to 256, not '0'"),
        (["--lines", "--jobs", "many"], "--jobs must be a number from 1 to 256, not 'many'"),
        (["--lines", "--format", "text"], "--lines writes JSON, so --format text has no place beside it"),
        (["--lines", "--format", "asn1"], "--lines writes JSON, so --format asn1 has no place beside it"),
        (["--lines", "--brief", "--format=verify-receipt"], "--brief has its own form, not that of verify-receipt"),
    ])
    func usage(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try parseArguments(arguments) }
    }

    @Test func unreadableFilesDoNotEndTheWork() throws {
        let host = TestHost([.file("a"): Self.input, .file("b"): Self.input, .file("root"): Self.root])
        #expect(host.run("--lines", "--root", "root", "--brief", "a", "missing", "b") == 66)
        #expect(try Self.read(host.output.bytes).count == 2 * Self.lines.count)
        #expect(host.errors.text.hasPrefix("receipt-dump: cannot read missing: no such file or directory\n"))
    }

    /// Lines of 20 MB and a stream of any length leave memory where it is.
    @Test(.enabled(if: Program.python3.isWanted, "python3 is not installed"))
    func memoryIsBounded() throws {
        let program = """
            import resource, subprocess, sys
            process = subprocess.Popen([sys.argv[1], "--lines", "--brief", "-q"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            lines, block = sys.stdin.buffer.read(), b"A" * (1 << 20)
            for _ in range(3):
                for _ in range(20): process.stdin.write(block)
                process.stdin.write(b"\\n" + lines)
            process.stdin.close()
            print(process.wait(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
            """
        let python = try Binary.run(
            program: "/usr/bin/env", ["python3", "-c", program, Binary.path], input: Self.input)
        let words = python.text.split(separator: " ")
        #expect(words.first == "0")
        let megabytes = try #require(words.last.flatMap { Int($0.dropLast()) })
        #expect(megabytes < 100, "\(megabytes) MB")
    }

    /// Whoever closes the pipe has what it wants: no message, status 0, and the process ends.
    @Test func closedPipe() throws {
        let (folder, file) = try Self.inputFile(copies: 200)
        defer { try? FileManager.default.removeItem(at: folder) }
        let command = "'\(Binary.path)' --lines --brief -q '\(file)' | head -n 3; echo ${PIPESTATUS[0]}"
        let result = try Binary.run(program: "/usr/bin/env", ["bash", "-c", command])
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 4 && lines.last == "0", "\(result.errors)")
        #expect(result.errors.isEmpty)
    }

    /// A line is answered when it is there, not when the input ends; an interrupt ends with what was done so far.
    @Test func interrupt() throws {
        let process = Process()
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(filePath: Binary.path)
        process.arguments = ["--lines", "--brief"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        for (text, _) in Self.lines.prefix(2) {
            input.fileHandleForWriting.write(Data((text + "\n").utf8))
            #expect(output.fileHandleForReading.availableData.contains(0x0A))
        }
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        let summary = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(summary.hasPrefix("receipt-dump: interrupted after 2 lines"))
    }

    @Test func underXargs() throws {
        try underAnotherProgram(
            """
            split -l 7 -d input part. && ls part.* \
            | xargs -P 4 -I @ sh -c "'$TOOL' --lines -q --root root.der @ > out.@" && cat out.part.*
            """)
    }

    @Test(.enabled(if: isGNUParallelWanted, "GNU parallel is not installed"))
    func underParallel() throws {
        try underAnotherProgram(
            "parallel --pipe -N 7 --keep-order --jobs 4 \"'$TOOL'\" --lines -q --root root.der < input")
    }

    /// The same answers from one process and from many, as other programs run them.
    private func underAnotherProgram(_ command: String) throws {
        let (folder, file) = try Self.inputFile(copies: 1)
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = folder.path(percentEncoded: false) + "root.der"
        try Data(Self.root).write(to: URL(filePath: root))
        let one = try Binary.run(["--lines", "-q", "--root", root, file])
        #expect(one.status == 0 && one.output.count { $0 == 0x0A } == Self.lines.count)
        let many = try Binary.run(
            program: "/usr/bin/env", ["bash", "-c", "cd \"$FOLDER\" && \(command)"],
            environment: ["TOOL": Binary.path, "FOLDER": folder.path(percentEncoded: false)])
        #expect(many.status == 0, "\(many.errors)")
        #expect(many.output == one.output)
    }

    static func inputFile(copies: Int) throws -> (folder: URL, file: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)/")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "input")
        var bytes: [UInt8] = []
        for _ in 0..<copies { bytes += input }
        try Data(bytes).write(to: file)
        return (folder, file.path(percentEncoded: false))
    }
}

/// Any JSON value, for comparing.
enum AnyValue: Decodable, Equatable {
    case object([String: AnyValue])
    case array([AnyValue])
    case text(String)
    case number(Decimal)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if let value = try? container.decode([AnyValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyValue].self))
        }
    }

    mutating func remove(_ key: String) {
        guard case .object(var members) = self else { return }
        members[key] = nil
        self = .object(members)
    }
}

/// A Python that can run Spark: `RECEIPT_DUMP_SPARK_PYTHON`, or else `python3`; nil when it lacks PySpark or there is no Java.
let sparkPython: String? = {
    let python = ProcessInfo.processInfo.environment["RECEIPT_DUMP_SPARK_PYTHON"] ?? "python3"
    let program = "import pyspark, shutil, sys; sys.exit(0 if shutil.which('java') else 1)"
    return (try? Binary.run(program: "/usr/bin/env", [python, "-c", program]).status) == 0 ? python : nil
}()

/// Another program has the same name.
private let isGNUParallelWanted: Bool = {
    if Program.areRequired { return true }
    let version = try? Binary.run(program: "/usr/bin/env", ["bash", "-c", "parallel --version < /dev/null"])
    return version?.text.hasPrefix("GNU parallel") == true
}()

@Suite struct SparkTests {
    /// A cluster of two workers gives the answers of one process, in the same order.
    @Test(.enabled(if: sparkPython != nil, "PySpark and Java are not installed"), arguments: [["--brief"]])
    func localCluster(options: [String]) throws {
        let python = try #require(sparkPython)
        let (folder, file) = try LineTests.inputFile(copies: 2)
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = folder.path(percentEncoded: false) + "root.der"
        try Data(LineTests.root).write(to: URL(filePath: root))
        let all = options + ["--root", root]
        let one = try Binary.run(["--lines", "-q"] + all + [file])
        let answers = folder.path(percentEncoded: false) + "answers"
        let script = Corpus.fixtures + "/../Tests/Spark/spark_lines.py"
        let spark = try Binary.run(
            program: "/usr/bin/env", [python, script, Binary.path, file, answers] + all,
            environment: ["PARTITIONS": "5"])
        #expect(spark.status == 0, "\(spark.errors.suffix(2_000))")
        #expect(try Corpus.bytes(answers) == one.output)
        #expect(one.output.count { $0 == 0x0A } == 2 * LineTests.lines.count)
    }
}

/// What a line may ask for besides the command line.
@Suite struct LineExpectationTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var members: String
        var arguments: [String]
        var verdict: String
        var reason: String?
        init(_ members: String, _ arguments: String, _ verdict: String, _ reason: String? = nil) {
            testDescription = members + " " + arguments
            (self.members, self.verdict, self.reason) = (members, verdict, reason)
            self.arguments = arguments.split(separator: " ").map { String($0) }
        }
    }

    @Test(arguments: [
        Row(#""bundle-id":"com.example.app""#, "", "valid"),
        Row(#""bundle-id":["com.x","com.example.app"]"#, "", "valid"),
        Row(#""bundle-id":"com.x""#, "", "rejected", "bundle-identifier-mismatch"),
        // A line cannot take back what the command line asks for.
        Row(#""bundle-id":"com.example.app""#, "--bundle-id com.x", "rejected", "bundle-identifier-mismatch"),
        Row(#""environment":["Production","Sandbox"]"#, "--environment production", "rejected", "environment-mismatch"),
        Row(#""environment":"SANDBOX""#, "", "valid"),
        Row(#""environment":"production""#, "", "rejected", "environment-mismatch"),
        Row(#""app-version":"9""#, "", "rejected", "application-version-mismatch"),
        Row(#""device-id":"00010203-0405-0607-0809-0A0B0C0D0E0F""#, "", "valid"),
        Row(#""device-id":"01""#, "", "rejected", "device-mismatch"),
        Row(#""device-id":"000102030405060708090a0b0c0d0e0f""#, "--device-id 01", "rejected", "device-mismatch"),
        Row(#""product-id":"coins""#, "", "valid"),
        Row(#""product-id":"coins""#, "--product-id gold", "rejected", "product-missing"),
        Row(#""transaction-id":"7""#, "", "rejected", "transaction-missing"),
        Row(#""at":"1990-01-01T00:00:00Z""#, "", "rejected", "certificate-not-yet-valid"),
        Row(#""at":"2025-07-01T00:00:00Z""#, "", "valid"),
        Row(#""at":"2025-07-01T00:00:00Z""#, "--at now", "undecodable", "invalid-line"),
        Row(#""at":"yesterday""#, "", "undecodable", "invalid-line"),
        Row(#""bundle-id":7"#, "", "undecodable", "invalid-line"),
        Row(#""device-id":"no device""#, "", "undecodable", "invalid-line"),
        Row(#""environment":"moon""#, "", "undecodable", "invalid-line"),
        Row(#""product-id":[]"#, "", "undecodable", "invalid-line"),
        Row(#""bundle-id":"com.example.app""#, "--no-validate", "undecodable", "invalid-line"),
    ])
    func asks(row: Row) throws {
        var receipt = ForgedReceipt(environment: .sandbox)
        receipt.deviceID = Array(0...15)
        receipt.purchases = [.consumable("coins")]
        let line = "{\"id\":7,\"receipt-data\":\"\(try receipt.signed().base64)\",\(row.members)}\n"
        let trust = row.arguments.contains("--no-validate") ? [] : ["--root", "root"]
        for options in [[], ["--brief"]] {
            let host = TestHost([.standardInput: Array(line.utf8), .file("root"): LineTests.root])
            #expect(host.run(["--lines"] + trust + row.arguments + options) == 0)
            let answer = try #require(try LineTests.read(host.output.bytes).first)
            #expect(answer.id == .number(7) && answer.verdict == row.verdict && answer.reason == row.reason)
        }
        guard !row.arguments.contains("--no-validate") else { return }
        // The answer of verifyReceipt has no word for most reasons; the summary does.
        let host = TestHost([.standardInput: Array(line.utf8), .file("root"): LineTests.root])
        _ = host.run(["--lines", "--format", "verify-receipt"] + trust + row.arguments)
        if let reason = row.reason { #expect(host.errors.text.contains("\(reason) 1"), "\(host.errors.text)") }
    }
}
