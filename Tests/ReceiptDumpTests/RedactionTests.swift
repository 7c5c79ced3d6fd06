import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

/// With `--redact` no value of an input, of the policy or of a file's name is in any output, whatever the format, the
/// options and the verdict: distinctive secrets are put into every place, and looked for.
@Suite struct RedactionTests {
    /// A secret for each place; the marker is in none of the tool's own words.
    static func secret(_ place: Int) -> String { "qZx\(place)w\"'#\(place)" }
    static let marker = "qZx"
    static let number: Int64 = 7_391_846_250_173

    /// Attributes that a forged receipt does not have of itself.
    static let extras = [
        ForgedAttribute(10, .ia5String(secret(10))), ForgedAttribute(23, .utf8String(secret(12))),
        ForgedAttribute(25, .integer(number)), ForgedAttribute(8, .ia5String(secret(13))),
        ForgedAttribute(22, .ia5String(secret(14))), ForgedAttribute(13, .integer(number)),
        ForgedAttribute(99, .utf8String(secret(15))), ForgedAttribute(98, .octets(Array(secret(16).utf8))),
        ForgedAttribute(11, .integer(number)),
    ]

    static func appReceipt(_ environment: ForgedReceipt.Environment = .production) -> ForgedReceipt {
        var receipt = ForgedReceipt(
            bundleID: secret(1), applicationVersion: secret(2), environment: environment)
        receipt.purchases = [
            ForgedPurchase.autoRenewable(
                secret(3), purchaseDate: "2025-01-01T00:00:00Z", expiresDate: "2025-02-01T00:00:00Z"
            ).withPromotionalOffer(secret(4)).transaction(secret(5)),
            ForgedPurchase.autoRenewable(
                secret(6), purchaseDate: "2025-02-01T00:00:00Z", expiresDate: "2025-03-01T00:00:00Z"
            ).transaction(secret(7)).renewing(secret(5), purchasedAt: "2025-01-01T00:00:00Z"),
            ForgedPurchase.consumable(secret(8)).transaction("\(number)"),
        ]
        receipt.extraAttributes =
            extras + [
                ForgedAttribute(0, .utf8String(secret(9))), ForgedAttribute(19, .utf8String(secret(11))),
                ForgedAttribute(1, .integer(number)),
            ]
        return receipt
    }

    static func transactionReceipt() -> ForgedTransactionReceipt {
        var receipt = ForgedTransactionReceipt(
            version: 3, purchaseInfo: .subscription,
            envelope: ["pod": secret(20), "environment": secret(21), secret(22): "x", "signing-status": secret(23)])
        for (index, key) in receipt.purchaseInfo.entries.map(\.key).enumerated()
        where !key.contains("date") && !["quantity", "item-id", "app-item-id", "web-order-line-item-id"].contains(key)
            && key != "version-external-identifier"
        {
            receipt.purchaseInfo[key] = secret(30 + index)
        }
        receipt.purchaseInfo[secret(24)] = secret(25)
        return receipt
    }

    /// Inputs of every kind, with the verdicts that they lead to.
    static let inputs: [(name: String, bytes: [UInt8])] = {
        var inputs: [(String, [UInt8])] = []
        do {
            // Without the repeated ones the receipt decodes; with them the attribute itself is named as the fault.
            var decodable = appReceipt()
            decodable.extraAttributes = extras
            let signed = try decodable.signed()
            inputs.append(("app", signed.bytes))
            inputs.append(("repeated", try appReceipt().signed().bytes))
            inputs.append(("cut", Array(signed.bytes.prefix(signed.bytes.count * 2 / 3))))
            inputs.append(("cut text", Array(signed.base64.utf8.prefix(900))))
            var edited = signed.bytes
            edited[edited.count - 1] ^= 1
            inputs.append(("edited", edited))
            let lineOf = { (bytes: [UInt8]) in Data(bytes).base64EncodedString() }
            inputs.append(
                (
                    "request",
                    Array("{\"\(marker)\":{\"receipt-data\":\"\(lineOf(signed.bytes))\"},\"id\":\"\(marker)\"}".utf8)
                ))
            let transaction = try transactionReceipt().signed(by: try ForgedPKI(.sha1()))
            inputs.append(("transaction", Array(transaction.base64.utf8)))
            inputs.append(("purchase-info", transaction.purchaseInfo))
        } catch {
            Issue.record("\(error)")
        }
        inputs.append(("text", Array("hello \(marker) \"\(marker)\" it reads \(marker)".utf8)))
        inputs.append(("number", Array("\(number)".utf8)))
        inputs.append(("jws", Array("eyJhbGciOiJFUzI1NiJ9.eyJxWngiOiJxWngifQ.\(marker)".utf8)))
        return inputs
    }()

    static let policies: [[String]] = [
        [], ["--no-validate"], ["--root", "root"], ["--root", "root", "--root", "sha1", "--intermediate", "ca"],
        [
            "--root", "root", "--bundle-id", "qZx-bundle", "--product-id", "qZx-product", "--transaction-id",
            "qZx-transaction",
        ],
        ["--root", "root", "--app-version", "qZx 1", "--environment", "sandbox"],
        ["--root", "sha1", "--intermediate", "ca", "--device-id", "0123456789abcdef0123456789abcdef01234567"],
        ["--root", "root", "--product-id", secret(3), "--transaction-id", secret(5), "--bundle-id", secret(1)],
    ]

    @Test(arguments: policies.indices)
    func nothingIsLeft(policy: Int) throws {
        let arguments = Self.policies[policy]
        for (name, bytes) in Self.inputs {
            for format in [
                "text", "text --all", "json", "html", "diff", "diff --format json", "lines", "lines --brief",
            ] {
                let isLines = format.hasPrefix("lines")
                let line = isLines && bytes.first == 0x30 ? Array(Data(bytes).base64EncodedData()) : bytes
                let file = Input.file("qZx-file")
                let host = TestHost([file: line, .file("other"): try Self.appReceipt(.sandbox).signed().bytes])
                host.files[.file("root")] = try ForgedPKI().root.der
                host.files[.file("sha1")] = try ForgedPKI(.sha1()).root.der
                host.files[.file("ca")] = try #require(try ForgedPKI(.sha1()).intermediate?.der)
                var all = arguments + ["--redact"]
                switch format.prefix(4) {
                case "diff":
                    all +=
                        ["--diff"] + format.split(separator: " ").dropFirst().map { String($0) } + [
                            "qZx-file", "other",
                        ]
                case "line":
                    all +=
                        ["--lines"] + format.split(separator: " ").dropFirst().map { String($0) } + [
                            "qZx-file", "qZx-missing",
                        ]
                default:
                    all += ["--format"] + format.split(separator: " ").map { String($0) } + ["qZx-file"]
                    if format != "html" { all.append("qZx-missing") }
                }
                let status = host.run(all)
                #expect(status != 64, "\(host.errors.text)")
                for text in [host.output.text, host.errors.text] {
                    #expect(
                        !text.contains(Self.marker),
                        "\(name), \(format), \(arguments): \(Self.place(of: Self.marker, text))")
                    #expect(
                        !text.contains("\(Self.number)"),
                        "\(name), \(format): \(Self.place(of: "\(Self.number)", text))")
                    #expect(!text.contains("0123456789abcdef"), "\(name), \(format): the device")
                }
                #expect(format == "html" || format.hasPrefix("diff") || !host.output.bytes.isEmpty)
            }
        }
    }

    private static func place(of word: String, _ text: String) -> String {
        guard let range = text.firstRange(of: word) else { return "" }
        let start = text.index(range.lowerBound, offsetBy: -60, limitedBy: text.startIndex) ?? text.startIndex
        return String(text[start..<range.upperBound])
    }

    /// One key gives the same hashes in each run, another one others; without one they differ from run to run.
    @Test func keys() throws {
        func run(_ arguments: String...) -> String {
            let host = TestHost([.standardInput: Self.inputs[0].bytes])
            _ = host.run(arguments)
            return host.output.text
        }
        #expect(run("--redact-key", "a") == run("--redact-key", "a"))
        #expect(run("--redact-key", "a") != run("--redact-key", "b"))
        #expect(run("--redact") != run("--redact"))
        // RFC 4231, test case 2 and test case 6, whose key is longer than a block.
        #expect(Redactor(key: Array("Jefe".utf8))("what do ya want for nothing?") == "#5bdcc146bf")
        let long = Redactor(key: [UInt8](repeating: 0xAA, count: 131))
        #expect(long("Test Using Larger Than Block-Size Key - Hash Key First") == "#60e431591e")
    }
}
