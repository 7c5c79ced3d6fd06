import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import receipt_dump

/// What the real process does with its standard streams, whoever closes them.
@Suite struct DescriptorTests {
    /// A folder with receipts, good and bad, and many lines of both.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "descriptors-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            let message = try ForgedReceipt().signed()
            var bad = message.bytes
            bad[bad.count - 1] ^= 1
            try write("good", message.bytes)
            try write("bad", bad)
            try write("root.der", try #require(message.anchors.first))
            try write("lines", (0..<10).flatMap { _ in LineTests.input })
        }

        deinit { try? FileManager.default.removeItem(at: path) }

        private func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: path.appending(path: name))
        }

        /// What a Bash script prints, which runs the tool as `tool`.
        func run(_ script: String) throws -> String {
            let result = try Binary.run(
                program: "/usr/bin/env",
                ["bash", "-c", "cd \"$FOLDER\"; tool() { timeout 60 \"$TOOL\" \"$@\"; }; \(script)"],
                environment: [
                    "TOOL": Binary.path, "FOLDER": path.path(percentEncoded: false), "SWIFT_BACKTRACE": "enable=no",
                ])
            return result.text + result.errors
        }
    }

    /// However early the output closes, the tool ends without a word, and with the status that it would have had.
    @Test(arguments: [
        ("--lines --root root.der lines", "true", 20, 0),
        ("--lines --jobs 8 --root root.der lines", "true", 20, 0),
        ("--lines --brief lines lines", "head -c 1 >/dev/null", 20, 0),
        ("--lines --format verify-receipt lines", "head -n 3 >/dev/null", 20, 0),
        ("--lines missing lines", "true", 20, 66),
        ("--root root.der good", "true", 5, 0),
        ("--root root.der bad", "true", 5, 1),
        ("--format json bad good", "true", 5, 1),
        ("--format asn1 good", "true", 5, 0),
        ("--format verify-receipt --root root.der bad", "true", 5, 1),
        ("--diff bad good", "true", 5, 1),
        ("--help", "true", 5, 0),
    ])
    func outputThatClosesEarly(options: String, reader: String, runs: Int, status: Int) throws {
        let script = """
            for ((i = 0; i < \(runs); i++)); do
                tool \(options) 2>>errors | \(reader); echo ${PIPESTATUS[0]}
            done | sort | uniq -c; grep -v 'cannot read missing' errors
            """
        let found = try Folder().run(script).split(whereSeparator: \.isWhitespace)
        #expect(found == ["\(runs)", "\(status)"], "\(found.joined(separator: " "))")
    }

    /// With any of the descriptors 0 to 2 closed the output is what it is otherwise, and the status too unless the
    /// tool is asked to read or to write what is closed.
    @Test(arguments: [
        "--root root.der good", "--format json good bad", "--format asn1 good", "--diff bad good", "--no-validate",
        "--format verify-receipt --root root.der bad", "--lines --root root.der lines", "--lines --brief --jobs 3",
    ])
    func closedDescriptors(options: String) throws {
        let isFromStandardInput = !options.hasSuffix("good") && !options.hasSuffix("bad") && !options.hasSuffix("lines")
        let input = options.hasPrefix("--lines") ? "lines" : "good"
        let script = """
            tool \(options) <\(input) >whole 2>/dev/null; whole=$?
            for closed in '' '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
                : >out
                eval "tool \(options) <\(input) >out 2>/dev/null $closed"; status=$?
                expected=$whole file=whole
                case $closed in
                *'<'*) \(isFromStandardInput ? "expected=66 file=/dev/null" : ":") ;;
                esac
                case $closed in
                *' >'* | '>'*) [ $expected = 66 ] || expected=70; file=/dev/null ;;
                esac
                [ $status = $expected ] && cmp -s out $file || echo "$closed: status $status"
            done
            """
        #expect(try Folder().run(script) == "")
    }

    /// An interrupt ends the wait for somebody to write into a named pipe.
    @Test func interruptWithoutAWriter() throws {
        let script = """
            mkfifo pipe
            for first in '' good; do timeout --preserve-status -s INT -k 20 1 "$TOOL" --lines -q $first pipe >/dev/null; echo $?; done
            """
        #expect(try Folder().run(script) == "130\n130\n")
    }
}
