import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptReport
import TestSupport
import Testing

@testable import receipt_dump

/// What is written for users says what the code does: examples are compiled code, links lead somewhere, tables are complete.
@Suite struct READMETests {
    private static let project = URL(filePath: Corpus.fixtures).deletingLastPathComponent()
    private static let articles = "Sources/AppStoreReceiptValidation/AppStoreReceiptValidation.docc"

    private static func text(_ path: String) throws -> String {
        String(decoding: try Corpus.bytes(project.appending(path: path).path), as: UTF8.self)
    }

    /// Every page of the project, by its path.
    private static let pages: [String] = {
        let roots = ["Sources", "docs", "Examples", "Fixtures", "Tests", "python", ".github"]
        var pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
        for root in roots {
            let files = FileManager.default.enumerator(atPath: project.appending(path: root).path)
            while let file = files?.nextObject() as? String {
                if file.hasSuffix(".md"), !file.contains(".build/") { pages.append("\(root)/\(file)") }
            }
        }
        return pages
    }()

    /// The fenced blocks of a page in one language.
    private static func blocks(_ language: String, in page: String) throws -> [String] {
        var blocks: [String] = []
        var block: String?
        for line in try text(page).split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```", let finished = block {
                blocks.append(finished)
                block = nil
            } else if line == "```\(language)" {
                block = ""
            } else {
                block? += line + "\n"
            }
        }
        return blocks
    }

    /// Examples are what stands between the marker on the first line of a file and the one at its end.
    private static let examples: Set<String> = {
        let folder = "Tests/DocumentationTests"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: project.appending(path: folder).path)) ?? []
        return Set(
            files.compactMap { file in
                // A file that cannot be read is no example, and the page that shows it fails.
                guard let source = try? text("\(folder)/\(file)"), source.hasPrefix("// README:") else { return nil }
                let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
                guard let end = lines.firstIndex(of: "// README: end") else { return nil }
                return lines[1..<end].map { $0 + "\n" }.joined()
            })
    }()

    @Test(arguments: pages) func examplesAreCompiledCode(page: String) throws {
        for block in try Self.blocks("swift", in: page) where !block.hasPrefix("// swift-tools-version") {
            // Pages beside the code show lines of the tests around them; those for users show whole examples.
            if page.hasPrefix("Fixtures/") || page == "CONTRIBUTING.md" { continue }
            #expect(Self.examples.contains(block), "not the text of an example in Tests/DocumentationTests:\n\(block)")
        }
    }

    @Test(arguments: pages) func linksLeadSomewhere(page: String) throws {
        let folder = Self.project.appending(path: page).deletingLastPathComponent()
        for match in try Self.text(page).matches(of: /\]\(([^)\s]+)\)/) {
            let target = match.output.1.split(separator: "#", omittingEmptySubsequences: false)[0]
            if target.isEmpty || target.contains(":") { continue }
            let path = folder.appending(path: String(target)).standardized.path
            #expect(FileManager.default.fileExists(atPath: path), "\(target)")
        }
    }

    /// Articles that link to each other are compiled by docc, which knows these; others name pages that exist.
    @Test(arguments: pages) func optionsExist(page: String) throws {
        let known = Set(optionTable.flatMap { ["--\($0.name)"] + ($0.letter.map { ["-\($0)"] } ?? []) })
        for block in try Self.blocks("sh", in: page) {
            for line in block.split(separator: "\n") where line.hasPrefix("receipt-dump ") {
                let command = line.prefix { $0 != "#" && $0 != "|" }
                for word in command.split(separator: " ") where word.hasPrefix("-") && word != "-" {
                    #expect(known.contains(String(word.prefix { $0 != "=" })), "\(line)")
                }
            }
        }
    }

    @Test(arguments: Rejection.Reason.all.map(\.rawValue))
    func everyReasonIsInTheTable(reason: String) throws {
        #expect(try Self.text("\(Self.articles)/VerdictsAndReasons.md").contains("| `\(reason)` |"))
    }

    @Test(arguments: Check.Name.all) func everyCheckIsInTheTable(name: Check.Name) throws {
        let row = "| `\(name)` | \(name.summary ?? "") |"
        #expect(try Self.text("\(Self.articles)/Checks.md").contains(row), "\(row)")
    }

    @Test func theREADMEIsShortAndTrue() throws {
        let readme = try Self.text("README.md")
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
        let commands = try Self.blocks("sh", in: "README.md")
        #expect(commands[0].contains("swift run -c release receipt-dump Fixtures/genuine/sandbox-2016.b64"))
        #expect(commands[1].contains("apt-get install -y libssl-dev && swift test"))
        // Every article is listed.
        let folder = Self.project.appending(path: Self.articles).path
        for article in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let isListed = readme.contains("\(Self.articles)/\(article)")
            #expect(isListed || article == "AppStoreReceiptValidation.md", "\(article)")
        }
    }

    /// What the README shows of a forged receipt is what comes out.
    @Test func theForgedReceiptIsRefusedAsShown() throws {
        var bytes = try SignedReceipt(decoding: Corpus.bytes("\(Corpus.fixtures)/genuine/sandbox-2016.der")).der
        let place = try #require(bytes.firstRange(of: "com.zhihu.test".utf8)).lowerBound
        bytes[place] ^= 1
        let verdict = try ReceiptValidator(policy: ValidationPolicy()).validate(SignedReceipt(decoding: bytes))
        let rejection = try #require(verdict.rejection)
        #expect(try Self.blocks("text", in: "README.md") == ["\(rejection.reason): \(rejection.message)\n"])
    }

    @Test func theVersionIsTheSameEverywhere() throws {
        #expect(try Self.text("README.md").contains("from: \"\(version)\""))
        let first = try Self.text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## [") }
        #expect(first?.hasPrefix("## [\(version)] - ") == true)
    }

    /// The switches that tests, scripts and the manifest read are explained to whoever works on the package.
    @Test func everySwitchIsExplained() throws {
        let guide = try Self.text("CONTRIBUTING.md")
        var found: Set<String> = []
        for root in ["Tests", ".ci", "Scripts", "Package.swift"] {
            let files =
                [root]
                + (FileManager.default.subpaths(atPath: Self.project.appending(path: root).path) ?? []).map {
                    "\(root)/\($0)"
                }
            for file in files {
                // Folders cannot be read, and have no text.
                guard let text = try? Self.text(file) else { continue }
                for match in text.matches(of: /\b(RECEIPT|FUZZ)_[A-Z_]+[A-Z]\b/) {
                    found.insert(String(match.output.0))
                }
            }
        }
        #expect(found.filter { !$0.hasSuffix("_H") && !guide.contains("`\($0)") } == [])
        #expect(found.count > 5)
    }
}
