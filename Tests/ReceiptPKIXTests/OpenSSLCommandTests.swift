import Foundation
import OracleSupport
import ReceiptASN1
import ReceiptPKIX
import TestSupport
import Testing

/// Messages and certificates that the `openssl` command makes, each anew.
@Suite struct OpenSSLCommandTests {
    /// Options of `openssl cms -sign`, and what they make of the message.
    struct Row: CustomTestStringConvertible, Sendable {
        let options: [String]
        var digest = ObjectIdentifier.sha256
        var digestName = "SHA256"
        var hasSignedAttributes = true
        var isKeyIdentifier = false
        var signers = 1
        var certificates = 1
        var hasContent = true
        var isBER = false
        var testDescription: String { options.joined(separator: " ") }
    }

    static let rows = [
        Row(options: ["-nodetach"]),
        Row(options: ["-nodetach", "-noattr"], hasSignedAttributes: false),
        Row(options: ["-nodetach", "-keyid"], isKeyIdentifier: true),
        Row(options: ["-nodetach", "-md", "sha1"], digest: .sha1, digestName: "SHA1"),
        Row(options: ["-nodetach", "-md", "sha512"], digest: .sha512, digestName: "SHA512"),
        Row(options: ["-nodetach", "-nocerts"], certificates: 0),
        Row(options: ["-nodetach", "-nosmimecap"]),
        Row(options: ["-nodetach", "-signer", "second.pem", "-inkey", "second.key"], signers: 2, certificates: 2),
        Row(options: ["-nodetach", "-certfile", "second.pem"], certificates: 2),
        Row(options: ["-nodetach", "-stream", "-noattr"], hasSignedAttributes: false, isBER: true),
        Row(options: ["-nodetach", "-stream"], isBER: true),
        Row(options: [], hasContent: false),
    ]

    private struct Folder: ~Copyable {
        let url = FileManager.default.temporaryDirectory.appending(path: "pkcs7-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }

        func run(_ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(filePath: try #require(Program.openssl.path))
            process.arguments = arguments
            process.currentDirectoryURL = url
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "openssl \(arguments)")
        }

        func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url.appending(path: name))) }
    }

    private static let content = [UInt8](repeating: 0x31, count: 5_000)

    @Test(.enabled(if: Program.openssl.isWanted, "the openssl command is not installed"))
    func messages() throws {
        let folder = try Folder()
        try Data(Self.content).write(to: folder.url.appending(path: "content"))
        for name in ["first", "second"] {
            try folder.run([
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(name).key", "-out", "\(name).pem",
                "-subj",
                "/CN=\(name)", "-days", "2",
            ])
        }
        for row in Self.rows {
            try folder.run(
                [
                    "cms", "-sign", "-binary", "-in", "content", "-signer", "first.pem", "-inkey", "first.key",
                    "-outform",
                    "DER", "-out", "message",
                ] + row.options)
            let message = try folder.bytes("message")
            var der = message
            do throws(ReceiptDecodingError) {
                let signedData = try SignedData.decode(&der, limits: .default)
                #expect(row.hasContent)
                try Self.check(signedData, der, row)
            } catch {
                #expect(error.code == .missingContent && !row.hasContent, "\(row.options): \(error)")
            }
            #expect((der != message) == row.isBER, "\(row.options)")
        }
    }

    private static func check(
        _ signedData: SignedData, _ der: [UInt8], _ row: Row
    ) throws(ReceiptDecodingError) {
        #expect(der[signedData.content].elementsEqual(content))
        #expect(signedData.contentType == .data)
        #expect(signedData.certificates.count == row.certificates)
        #expect(signedData.signerInfos.count == row.signers)
        for info in signedData.signerInfos {
            #expect(info.digestAlgorithm.algorithm == row.digest)
            if case .subjectKeyIdentifier = info.identifier {
                #expect(row.isKeyIdentifier)
            } else {
                #expect(!row.isKeyIdentifier)
            }
            #expect((info.signedAttributes != nil) == row.hasSignedAttributes)
            guard let range = info.signedAttributes else { continue }
            let attributes = try der.span.readSignedAttributes(range)
            #expect(attributes.contentType == .data)
            let digest = attributes.messageDigest.map { Array(der[$0]) }
            #expect(digest == Oracle.digest(row.digestName, content))
        }
    }

    /// Keys and names of all kinds: as libcrypto reads them.
    @Test(
        .enabled(if: Program.openssl.isWanted, "the openssl command is not installed"),
        arguments: [
            ["rsa:2048", "-subj", "/C=DE/ST=Bayern/L=Aschheim/O=A & B/OU=x=y/CN=a, b/emailAddress=a@example.com"],
            ["rsa:1024", "-subj", "/CN=small", "-set_serial", "0x00ff00ff00ff00ff00ff00ff00ff00ff00ff00f1"],
            ["rsa:3072", "-subj", "/CN=utf \u{E9}\u{4E2D}", "-utf8", "-set_serial", "1"],
            ["ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=elliptic"],
            ["ed25519", "-subj", "/CN=edwards", "-addext", "keyUsage=critical,digitalSignature"],
            ["rsa-pss", "-subj", "/CN=pss"],
            ["rsa:2048", "-subj", "/CN=multi+OU=valued", "-multivalue-rdn", "-addext", "certificatePolicies=1.2.3.4"],
        ])
    func certificates(options: [String]) throws {
        let folder = try Folder()
        try folder.run(
            [
                "req", "-x509", "-nodes", "-days", "30000", "-keyout", "key", "-outform", "DER", "-out", "certificate",
                "-newkey",
            ]
                + options)
        let der = try folder.bytes("certificate")
        #expect(
            try CertificateTests.describe(der).filter { !$0.contains("valued") }
                == Oracle.describeCertificate(der)?.filter { !$0.contains("valued") })
    }
}
