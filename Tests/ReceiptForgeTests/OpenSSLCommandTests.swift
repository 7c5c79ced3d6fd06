import Foundation
import ReceiptForge
import TestSupport
import Testing

/// The `openssl` command reads and verifies what the forge writes.
struct OpenSSLCommandTests {
    @Test(
        .enabled(if: Program.openssl.isWanted, "the openssl command is not installed"),
        arguments: [ForgedReceipt.Environment.production, .sandbox, .xcode])
    func verifiesAndParses(environment: ForgedReceipt.Environment) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "forge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var receipt = ForgedReceipt(environment: environment)
        receipt.purchases = [.autoRenewable("com.example.pro").inTrial()]
        let message = try receipt.signed()
        let file = folder.appending(path: "receipt")
        let root = folder.appending(path: "root.pem")
        let content = folder.appending(path: "content")
        try Data(message.bytes).write(to: file)
        try Data(message.chain.root.pem.utf8).write(to: root)

        let verify = [
            "cms", "-verify", "-inform", "DER", "-binary", "-in", file.path, "-CAfile", root.path, "-attime",
            "1748779200", "-purpose", "any", "-out", content.path,
        ]
        #expect(try run(verify) == 0)
        #expect([UInt8](try Data(contentsOf: content)) == message.payload)
        #expect(try run(["asn1parse", "-inform", "DER", "-in", file.path]) == 0)
        // The same command on a damaged receipt: it can say no.
        try Data(try message.damaged(.flip(byte: -1)).bytes).write(to: file)
        #expect(try run(verify) != 0)
    }

    private func run(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Program.openssl.path))
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
