import AppStoreReceipt
import ReceiptForge
import Testing

@testable import AppStoreReceiptValidation

/// The one table of checks, and the values that its sentences hold.
struct CheckTableTests {
    @Test func theTableIsSound() {
        let names = CheckTable.all.map(\.name)
        #expect(Set(names).count == names.count && Check.Name.all == names)
        for (index, check) in CheckTable.all.enumerated() {
            #expect(!check.summary.isEmpty && !check.reasons.isEmpty, "\(check.name)")
            #expect(check.needs.allSatisfy(names[..<index].contains), "\(check.name) needs what comes later")
            for need in check.needs {
                #expect(CheckTable.lacking(need) != "", "\(need) says nothing when it is lacking")
            }
        }
        #expect(Set(Rejection.Reason.all).count == Rejection.Reason.all.count)
    }

    /// Values come out as they are; sentences escape what could move a cursor, and can be shown otherwise.
    @Test func sentencesHoldValues() throws {
        var scenario = Scenario()
        scenario.receipt.bundleID = "com.evil\u{1B}[2J\n\u{202E}app"
        scenario.policy = { $0.bundleIdentifiers = ["com.example.app"] }
        let made = try scenario.make()
        let rejection = try #require(try made.verdict().rejection)
        #expect(rejection.reason == .bundleIdentifierMismatch)
        #expect(rejection.values.map(\.text) == ["com.evil\u{1B}[2J\n\u{202E}app", "com.example.app"])
        #expect(rejection.values.map(\.kind) == [.bundleIdentifier, .bundleIdentifier])
        #expect(rejection.values.map(\.role) == [.found, .expected])
        #expect(!rejection.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        #expect(rejection.message.contains("com.evil\\u{1b}[2J\\u{a}\\u{202e}app"))
        #expect(
            rejection.message { _ in "#" } == "the receipt is for app '#', expected is '#'")
        let check = try #require(
            try made.validator.examine(made.receipt).checks.first { $0.name == .bundleIdentifier })
        #expect(check.values == rejection.values && check.detail == rejection.message)
    }

    /// What the policy names as tolerable is tolerated, and nothing else.
    @Test(arguments: ["1.2.3.4", "1.2.3.5"])
    func toleratedExtensions(named: String) throws {
        var scenario = Scenario()
        scenario.template.leaf?.extraExtensions = [
            CertificateExtension([1, 2, 3, 4], critical: true, .sequence([]))
        ]
        scenario.policy = { $0.toleratedCriticalExtensions = [named] }
        let reason = try scenario.make().verdict().rejection?.reason
        #expect(reason == (named == "1.2.3.4" ? nil : .unknownCriticalExtension))
    }

    /// An intermediate that the container lacks may come from the policy; it is trusted as little as one that is there.
    @Test(arguments: [true, false])
    func intermediatesOfThePolicy(isRight: Bool) throws {
        var scenario = Scenario()
        scenario.damage = [.dropCertificate(1)]
        let intermediate = try #require(try ForgedPKI(.standard(seed: isRight ? 0 : 1)).intermediate).der
        scenario.policy = { $0.intermediates = [intermediate] }
        let reason = try scenario.make().verdict().rejection?.reason
        #expect(reason == (isRight ? nil : .untrustedRoot))
    }

    /// verifyReceipt never answers 0 where the policy asked for what could not be checked.
    @Test func statusOfWhatCouldNotBeChecked() throws {
        var scenario = Scenario()
        scenario.policy = { $0.maximumAge = .seconds(1) }
        let made = try scenario.make()
        let answer = try made.validator.verifyReceipt(made.receipt)
        #expect(answer.rejection?.reason == .dateMissing && answer.status == .notAuthenticated)
    }
}
