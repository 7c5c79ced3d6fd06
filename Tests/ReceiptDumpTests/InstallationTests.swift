import Foundation
import TestSupport
import Testing

@testable import receipt_dump

/// What packages install beside the tool is made from the table of options, and the programs it is for take it.
@Suite struct InstallationTests {
    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    /// What a program writes.
    private static func output(_ program: String, _ arguments: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(program)")
        process.arguments = arguments
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardOutput
        try process.run()
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: Shell.allCases)
    func completionsNameEveryOption(shell: Shell) {
        let host = TestHost()
        #expect(host.run("--completions", shell.rawValue) == 0)
        for option in optionTable {
            let spelling = shell == .fish ? "-l \(option.name) " : "--\(option.name)"
            #expect(host.output.text.contains(spelling), "\(option.name)")
            for word in option.words { #expect(host.output.text.contains(word), "\(option.name): \(word)") }
        }
    }

    @Test(
        arguments: [
            (["--no-"], "--no-validate\n"), (["--format", "a"], "asn1\n"), (["--format", "=", "j"], "json\n"),
            (["--at", ""], "receipt\nnow\n"), (["--environment", "="], "production\nsandbox\nxcode\n"),
            (["--bundle-id", "x"], ""), (["receipt.b64", "--vers"], "--version\n"),
        ] as [([String], String)])
    func bashCompletes(words: [String], expected: String) throws {
        let line = (["receipt-dump"] + words).map { "'\($0)'" }.joined(separator: " ")
        let script = """
            \(completions(for: .bash))
            COMP_WORDS=(\(line)); COMP_CWORD=\(words.count)
            _receipt_dump
            for word in "${COMPREPLY[@]}"; do echo "$word"; done
            """
        #expect(try Self.output("bash", ["--norc"], input: script) == expected)
    }

    /// The shells read their scripts without a complaint; bash is everywhere, the others where somebody installed them.
    @Test(arguments: Shell.allCases.filter { isInstalled($0.rawValue) })
    func shellsReadTheirScripts(shell: Shell) throws {
        #expect(try Self.output(shell.rawValue, ["-n"], input: completions(for: shell)) == "")
    }

    @Test func theManualHasEverySectionAndOptionOfHelp() throws {
        let host = TestHost()
        #expect(host.run("--manual") == 0)
        let page = host.output.text
        for line in helpPage().split(separator: "\n") where line.first?.isUppercase == true {
            #expect(page.contains("\n.SH \(line)\n"))
        }
        for option in optionTable {
            #expect(page.contains("\\fB\\-\\-\(option.name.replacing("-", with: "\\-"))\\fR"), "\(option.name)")
        }
    }

    /// As a reader sees it: without warnings, and with nothing lost.
    @Test(.enabled(if: isInstalled("groff"), "groff is not installed"))
    func theManualIsFormattedWithoutALoss() throws {
        let shown = try Self.output("groff", ["-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=200n"], input: manualPage())
        #expect(!shown.contains("warning"))
        let words = { (text: String) in Set(text.split(whereSeparator: \.isWhitespace).map(String.init)) }
        #expect(words(helpPage()).subtracting(words(shown.replacing("−", with: "-").replacing("‐", with: "-"))) == [])
    }
}
