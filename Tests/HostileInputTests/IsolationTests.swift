import Foundation
import ReceiptForge
import TestSupport
import Testing

/// What a process finds around it moves no verdict: the tool is run under every condition, and must say the same.
@Suite struct IsolationTests {
    struct Condition: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A shell command line; `$TOOL` runs the tool.
        let command: String

        init(_ description: String, _ command: String) {
            testDescription = description
            self.command = command
        }
    }

    static let conditions = [
        Condition("nothing special", "$TOOL"),
        Condition("openssl.cnf asks for FIPS", "OPENSSL_CONF=fips.cnf $TOOL"),
        Condition("openssl.cnf loads no default provider", "OPENSSL_CONF=none.cnf $TOOL"),
        Condition("openssl.cnf names a provider that is not there", "OPENSSL_CONF=missing.cnf $TOOL"),
        Condition("openssl.cnf sets security level 5", "OPENSSL_CONF=level.cnf $TOOL"),
        Condition("openssl.cnf is broken", "OPENSSL_CONF=broken.cnf $TOOL"),
        Condition("openssl.cnf is a folder", "OPENSSL_CONF=/ $TOOL"),
        Condition("openssl.cnf is a named pipe", "mkfifo pipe.cnf; OPENSSL_CONF=pipe.cnf timeout 60 $TOOL"),
        Condition("no provider modules", "OPENSSL_MODULES=/nonexistent $TOOL"),
        Condition("other certificates", "SSL_CERT_FILE=/dev/null SSL_CERT_DIR=/nonexistent $TOOL"),
        Condition("a locale", "LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8 $TOOL"),
        Condition("a time zone", "TZ=Pacific/Kiritimati $TOOL"),
        Condition("an empty environment", "env -i LD_LIBRARY_PATH=\"$LD_LIBRARY_PATH\" $TOOL"),
        Condition("another folder", "(cd / && $TOOL)"),
        Condition("no standard input", "$TOOL <&-"),
        Condition("no standard error", "$TOOL 2>&-"),
        Condition("few open files", "(ulimit -n 6; $TOOL)"),
        Condition("a small stack", "(ulimit -s 256; $TOOL)"),
    ]

    @Test(arguments: conditions)
    func sameVerdict(_ condition: Condition) throws {
        let folder = try Folder()
        for receipt in ["good", "old", "bad"] {
            let plain = try folder.run("$TOOL", receipt)
            let result = try folder.run(condition.command, receipt)
            #expect(result.status == (receipt == "bad" ? 1 : 0), "\(receipt): \(result.errors)")
            #expect(result.output == plain.output, "\(receipt)")
        }
    }

    /// Without somewhere to write there is an error, whatever the verdict.
    @Test func closedOutput() throws {
        let folder = try Folder()
        for receipt in ["good", "bad"] {
            let result = try folder.run("$TOOL >&-", receipt)
            #expect(result.status == 70)
            #expect(result.errors.contains("receipt-dump:"))
        }
    }

    /// As the address space gets smaller the tool fails, at some point and in some way, but never says that a bad receipt
    /// is valid, or that a good one is not.
    @Test(.disabled(if: Environment.isSanitized, "a sanitizer maps more than the limit for itself"))
    func addressSpace() throws {
        let folder = try Folder()
        var failures = 0
        for megabytes in [16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256, 512] {
            for receipt in ["good", "bad"] {
                let result = try folder.run("(ulimit -v \(megabytes * 1_024); $TOOL)", receipt)
                let verdict =
                    result.output.contains("\"verdict\":\"valid\"") || result.output.contains("\"verdict\": \"valid\"")
                switch result.status {
                case 0: #expect(receipt == "good" && verdict)
                case 1: #expect(receipt == "bad" && !verdict)
                default:
                    // Not an answer: a message of the tool, of the loader or of the runtime.
                    failures += 1
                    #expect(result.output.isEmpty || result.status == 70)
                }
            }
        }
        #expect(failures > 0)
    }

    /// A folder with receipts, a root and configurations, for one test.
    private final class Folder {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "isolation-\(UUID().uuidString)")
                .path(percentEncoded: false)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let good = try ForgedReceipt().signed()
            let old = try ForgedReceipt().signed(by: ForgedPKI(.sha1()))
            var bad = good.bytes
            bad[bad.count / 4] ^= 1
            try write("good", good.bytes)
            try write("old", old.bytes)
            try write("bad", bad)
            try write("root", good.anchors[0])
            try write("old-root", old.anchors[0])
            let head = "openssl_conf = init\n[init]\n"
            let configurations = [
                "fips": head + "alg_section = algorithms\n[algorithms]\ndefault_properties = fips=yes\n",
                "none": head + "providers = providers\n[providers]\nnull = null\n[null]\nactivate = 1\n",
                "missing": head
                    + "providers = providers\n[providers]\nno = no\n[no]\nmodule = /nonexistent.so\nactivate = 1\n",
                "level": head + "ssl_conf = ssl\n[ssl]\nsystem_default = d\n[d]\nCipherString = DEFAULT:@SECLEVEL=5\n",
                "broken": "[[[\n=\n",
            ]
            for (name, text) in configurations { try write("\(name).cnf", Array(text.utf8)) }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        private func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
        }

        struct Result {
            var status: Int32
            var output: String
            var errors: String
        }

        /// Runs a shell command with the tool's command line in `$TOOL`, in the folder.
        func run(_ command: String, _ receipt: String) throws -> Result {
            let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            let tool = products.appending(path: "receipt-dump").path(percentEncoded: false)
            let root = receipt == "old" ? "old-root" : "root"
            let arguments = "'\(tool)' --format json --root '\(path)/\(root)' '\(path)/\(receipt)'"
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", command.replacing("$TOOL", with: arguments)]
            process.currentDirectoryURL = URL(filePath: path)
            // Swift's crash handler writes a report, which takes long, and is not what is tested.
            process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            let (output, errors) = ("\(path)/out", "\(path)/err")
            for file in [output, errors] { try Data().write(to: URL(filePath: file)) }
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
            process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
            try process.run()
            process.waitUntilExit()
            return Result(
                status: process.terminationStatus,
                output: String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self),
                errors: String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self))
        }
    }
}
