import Testing

@testable import ReceiptReport
@testable import receipt_dump

@Suite struct ArgumentTests {
    @Test(
        arguments: [
            ([], [Input.standardInput]),
            (["-"], [.standardInput]),
            (["a", "b"], [.file("a"), .file("b")]),
            (["a", "-", "b"], [.file("a"), .standardInput, .file("b")]),
            (["--", "-"], [.file("-")]),
            (["--", "--format"], [.file("--format")]),
            (["a", "--format", "asn1", "b"], [.file("a"), .file("b")]),
            (["--format=asn1"], [.standardInput]),
        ] as [([String], [Input])])
    func inputs(arguments: [String], expected: [Input]) throws {
        #expect(try parseArguments(arguments).inputs == expected)
    }

    @Test(
        arguments: [
            (["--formt"], "unknown option '--formt': did you mean --format?"),
            (["--foramt=asn1"], "unknown option '--foramt': did you mean --format?"),
            (["-format", "json"], "unknown option '-format': did you mean --format?"),
            (["--xyzzy"], "unknown option '--xyzzy'"),
            (["-x"], "unknown option '-x'"),
            (["--\u{1B}[2J"], "unknown option '--\\u{1b}[2J'"),
            (["--format"], "option --format needs a value: --format FORMAT"),
            (["--format="], "option --format has an empty value"),
            (["--format", ""], "option --format has an empty value"),
            (["--format=asn1", "--format", "asn1"], "option --format is given twice"),
            ([""], "a file name is empty"),
            (["-", "-"], "standard input can be read only once"),
        ] as [([String], String)])
    func usageErrors(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try parseArguments(arguments) }
        let host = TestHost()
        #expect(host.run(arguments) == 64)
        #expect(host.errors.text == "receipt-dump: \(message)\nreceipt-dump: see receipt-dump --help\n")
        #expect(host.output.bytes.isEmpty)
    }

    @Test func formatIsOneOfTheList() {
        #expect {
            try parseArguments(["--format", "ans1"])
        } throws: { error in
            (error as? UsageError)?.message.hasSuffix("not 'ans1': did you mean asn1?") ?? false
        }
    }

    /// `--help` and `--version` win over whatever else is there before them, and say what the table says.
    @Test func helpCoversEveryOption() {
        let host = TestHost()
        #expect(host.run("--help") == 0)
        for option in optionTable { #expect(host.output.text.contains("--\(option.name)")) }
        for line in host.output.text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        let version = TestHost()
        #expect(version.run("--version", "missing") == 0)
        #expect(version.output.text == "receipt-dump \(ReceiptReport.version)\n")
        #expect(TestHost().run("-h") == 0)
    }

    @Test func unreadableInputs() throws {
        let host = TestHost([.file("good"): [0x05, 0x00]])
        #expect(host.run("--format", "asn1", "missing", "good") == 66)
        #expect(host.errors.text == "receipt-dump: cannot read missing: no such file or directory\n")
        #expect(host.output.text.contains("NULL"), "the others are shown all the same")

        let result = try Binary.run(["--format", "asn1", "/nonexistent/receipt"])
        #expect(result.status == 66)
        #expect(result.errors == "receipt-dump: cannot read /nonexistent/receipt: no such file or directory\n")
        let folder = try Binary.run(["--format", "asn1", "/"])
        #expect(folder.status == 66)
        #expect(folder.errors == "receipt-dump: cannot read /: is a directory\n")
    }

    /// A terminal cuts what is pasted into it, so the user is told, but for a file.
    @Test func pastingIntoATerminal() {
        let host = TestHost([.standardInput: [0x05, 0x00], .file("a"): [0x05, 0x00]])
        host.inputIsTerminal = true
        _ = host.run("--no-validate")
        #expect(host.errors.text.contains("a terminal") || host.errors.text.contains("the terminal"))
        let other = TestHost(host.files)
        other.inputIsTerminal = true
        _ = other.run("--no-validate", "a")
        #expect(other.errors.text.isEmpty)
    }

    @Test(arguments: [
        ("format", "formats", 1), ("abc", "acb", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0),
    ])
    func editDistances(a: String, b: String, expected: Int) {
        #expect(editDistance(Array(a.utf8), Array(b.utf8)) == expected)
        #expect(editDistance(Array(b.utf8), Array(a.utf8)) == expected)
    }
}
