import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

/// The page for a browser.
@Suite struct HTMLTests {
    static func page(_ input: [UInt8], _ arguments: String...) -> String {
        let host = TestHost([.standardInput: input, .file("root"): (try? ForgedPKI().root.der) ?? []])
        _ = host.run(arguments + ["--root", "root", "--format", "html"])
        return host.output.text
    }

    /// What a reader of the page sees: no tags, references resolved.
    static func visible(_ html: String) -> String {
        var text = ""
        var isTag = false
        for scalar in html.unicodeScalars {
            switch scalar {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            case _ where isTag: break
            default: text.unicodeScalars.append(scalar)
            }
        }
        for (reference, character) in [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")]
        {
            text = text.replacing(reference, with: character)
        }
        return text
    }

    /// Every text and number of the JSON report is on the page.
    @Test(arguments: SchemaTests.inputs.map(\.name))
    func sameFactsAsJSON(name: String) throws {
        let input = try #require(SchemaTests.inputs.first { $0.name == name }).bytes
        let page = Self.visible(Self.page(input))
        let host = TestHost([.standardInput: input, .file("root"): try ForgedPKI().root.der])
        _ = host.run("--root", "root", "--format", "json")
        func look(_ value: Any) {
            switch value {
            case let object as [String: Any]: object.values.forEach(look)
            case let array as [Any]: array.forEach(look)
            case let text as String where !text.isEmpty: #expect(page.contains(escapedForTerminal(text)), "\(text)")
            case let number as NSNumber:
                #expect(page.contains("\(number)") || page.contains("true") || page.contains("false"))
            default: break
            }
        }
        look(try JSONSerialization.jsonObject(with: Data(host.output.bytes)))
    }

    /// Whatever a receipt says, no element, attribute or reference of it comes about, and nothing is loaded.
    @Test func hostileStringsStayText() throws {
        let attacks = [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
            "</style><svg/onload=1>",
            "&lt;script&gt;", "javascript:alert(1)", "\u{202E}evil\u{0}\u{1B}[2J", "]]><!--", "</title><b>",
        ]
        var receipt = ForgedReceipt(bundleID: attacks[0], applicationVersion: attacks[1])
        receipt.purchases = attacks.enumerated().map { index, attack in
            ForgedPurchase.autoRenewable(
                attack, purchaseDate: "2025-0\(index % 8 + 1)-01T00:00:00Z", expiresDate: "2025-09-01T00:00:00Z"
            )
            .transaction(attack)
        }
        receipt.extraAttributes = attacks.enumerated().map { ForgedAttribute(2_000 + $0, .utf8String($1)) }
        let page = Self.page(try receipt.signed().bytes)
        let tags = Set(
            page.split(separator: "<").dropFirst().map {
                String($0.prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" })
            })
        #expect(
            tags.subtracting(tags.filter { $0.hasPrefix("/") }).isSubset(of: [
                "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "p", "strong", "em",
                "table",
                "tr", "th", "td", "ol", "li", "dl", "dt", "dd", "details", "summary", "div", "svg", "line", "rect",
                "text",
            ]), "\(tags)")
        for attribute in [" onerror", " onload", " onmouseover", " src=", " href=", "url(", "@import"] {
            // In the text of a receipt they stand, but in no tag.
            let inTags = page.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" } }
            #expect(!inTags.contains { $0.contains(attribute) }, "\(attribute)")
        }
        #expect(page.contains("Content-Security-Policy\" content=\"default-src 'none'"))
        for scalar in page.unicodeScalars { #expect(scalar == "\n" || !scalar.isUnsafeOnTerminal) }
        #expect(!Self.visible(page).contains("\u{202E}"))
    }

    /// One bar for each stretch that ran, and a frame for the gap between them.
    @Test func timeline() throws {
        let page = Self.page(try TextReportTests.bytes("history").input)
        #expect(page.contains("<svg") && page.components(separatedBy: "class=\"run\"").count == 3)
        #expect(page.components(separatedBy: "class=\"gap\"").count == 2)
        #expect(page.contains("<title>gap 2025-04-01T10:00:00Z to 2025-05-10T08:00:00Z</title>"))
        #expect(!Self.page(try TextReportTests.bytes("empty").input).contains("<svg"))
    }

    @Test func redacted() throws {
        let page = Self.page(try TextReportTests.bytes("history").input, "--redact")
        for secret in ["com.example.reader", "71000000", "come-back"] { #expect(!page.contains(secret)) }
    }
}
