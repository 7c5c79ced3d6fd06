internal import ReceiptForge

/// Makes the signatures of a mutated message right again, where its parts can still be found.
package enum Resigner {
    /// - Parameter which: Bit 0 for the content, bit 1 for the signer's certificate, bit 2 for the intermediate.
    package static func sign(_ bytes: inout [UInt8], _ which: Int) {
        // The last shall be first: the certificates' lengths do not change when only signatures do.
        var editor = TLVEditor(bytes)
        guard let parts = Parts(editor), let chain = chain(parts, editor.bytes) else { return }
        if which & 2 != 0, parts.certificates.count > 1 {
            signCertificate(&editor, parts.certificates[0], chain.intermediate?.key ?? chain.root.key)
        }
        if which & 4 != 0, parts.certificates.count > 1 {
            signCertificate(&editor, parts.certificates[1], chain.root.key)
        }
        if which & 1 != 0 { signContent(&editor, parts, chain.leaf.key) }
        bytes = editor.bytes
    }

    /// Where the parts of a message lie.
    private struct Parts {
        let content: Range<Int>
        let certificates: [TLV]
        let signer: [TLV]

        init?(_ editor: TLVEditor) {
            guard let message = editor.element(at: 0, limit: editor.bytes.count),
                let explicit = editor.children(of: message)?.dropFirst().first,
                let signedData = editor.children(of: explicit)?.first,
                let fields = editor.children(of: signedData), fields.count >= 4,
                let wrapper = editor.children(of: fields[2])?.dropFirst().first,
                let string = editor.children(of: wrapper)?.first, editor.bytes[string.start] == 0x04,
                editor.bytes[fields[3].start] == 0xA0,
                let certificates = editor.children(of: fields[3]),
                let last = fields.last, let signer = editor.children(of: last)?.first,
                let signerFields = editor.children(of: signer)
            else { return nil }
            content = string.content..<string.end
            self.certificates = certificates
            self.signer = signerFields
        }
    }

    /// The chain of ``Seeds`` whose root the message carries, or the first.
    private static func chain(_ parts: Parts, _ bytes: [UInt8]) -> ForgedPKI? {
        Seeds.chains.first { chain in
            parts.certificates.contains { bytes[$0.range].elementsEqual(chain.root.der) }
        } ?? Seeds.chains.first
    }

    private static func signCertificate(_ editor: inout TLVEditor, _ certificate: TLV, _ key: ForgedKey) {
        guard let fields = editor.children(of: certificate), fields.count == 3 else { return }
        let algorithm = editor.bytes[fields[1].range]
        put(&editor, key, Array(editor.bytes[fields[0].range]), isSHA1(algorithm), into: fields[2], skipping: 1)
    }

    private static func signContent(_ editor: inout TLVEditor, _ parts: Parts, _ key: ForgedKey) {
        guard let index = parts.signer.lastIndex(where: { editor.bytes[$0.start] == 0x04 }), parts.signer.count > 3
        else { return }
        var signed = Array(editor.bytes[parts.content])
        if let attributes = parts.signer.first(where: { editor.bytes[$0.start] == 0xA0 }) {
            signed = [0x31] + editor.bytes[attributes.start + 1..<attributes.end]
        }
        let isSHA1 = isSHA1(editor.bytes[parts.signer[2].range])
        put(&editor, key, signed, isSHA1, into: parts.signer[index], skipping: 0)
    }

    private static func isSHA1(_ algorithm: ArraySlice<UInt8>) -> Bool {
        // id-sha1, or sha1WithRSAEncryption by its last arc.
        algorithm.firstRange(of: [0x2B, 0x0E, 0x03, 0x02, 0x1A]) != nil
            || algorithm.firstRange(of: [0x01, 0x01, 0x05]) != nil
    }

    private static func put(
        _ editor: inout TLVEditor, _ key: ForgedKey, _ signed: [UInt8], _ isSHA1: Bool, into element: TLV,
        skipping: Int
    ) {
        do {
            let signature = try key.sign(signed, .pkcs1(isSHA1 ? .sha1 : .sha256))
            guard element.end - element.content == skipping + signature.count else { return }
            let room = element.content + skipping..<element.end
            editor.bytes.replaceSubrange(room, with: signature)
        } catch {
            finding("cannot sign: \(error)")
        }
    }
}
