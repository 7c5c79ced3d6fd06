import OpenSSLOracle

/// libcrypto's own verdicts, for tests: `CMS_verify`, `PKCS7_verify`, `X509_verify_cert`, the `d2i` parsers and the tag walk.
///
/// Chains are verified with purpose *any*, auth level 0 and at a time the caller gives, in a private library
/// context: neither the clock nor the host's configuration takes part.
package enum Oracle {
    /// What libcrypto said.
    package enum Answer: Hashable, Sendable {
        /// Verified; the content that was signed (empty for a bare certificate).
        case ok([UInt8])
        /// Not verified, with libcrypto's reason, such as `certificate verify error: Verify error: certificate has expired`.
        case failed(String)

        package var isOK: Bool {
            if case .ok = self { true } else { false }
        }

        package var payload: [UInt8]? {
            if case .ok(let payload) = self { payload } else { nil }
        }

        package var failure: String? {
            if case .failed(let reason) = self { reason } else { nil }
        }
    }

    package struct Options: OptionSet, Sendable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Also check the signature of a self-signed root.
        package static let checkSelfSigned = Self(rawValue: 1)
        /// Any given root ends the chain, self-signed or not.
        package static let partialChain = Self(rawValue: 2)
        /// OpenSSL's strict X.509 checks.
        package static let strict = Self(rawValue: 4)
        /// Only the signature over the content: the signer's certificate is not verified.
        package static let noChain = Self(rawValue: 8)
    }

    /// The version of the libcrypto that answers, such as `3.0.19`.
    package static var version: String { unsafe String(cString: oracle_version()) }

    /// `CMS_verify` at a time in seconds since 1970, under some roots (DER), with extra intermediates (DER).
    package static func verifyCMS(
        _ der: [UInt8], roots: [[UInt8]], intermediates: [[UInt8]] = [], at: Int64, options: Options = []
    ) -> Answer {
        unsafe verifyMessage(unsafe oracle_cms_verify, der, roots, intermediates, at, options)
    }

    /// `PKCS7_verify`, in the same manner.
    package static func verifyPKCS7(
        _ der: [UInt8], roots: [[UInt8]], intermediates: [[UInt8]] = [], at: Int64, options: Options = []
    ) -> Answer {
        unsafe verifyMessage(unsafe oracle_pkcs7_verify, der, roots, intermediates, at, options)
    }

    /// `X509_verify_cert` for one leaf. The answer's payload is empty.
    package static func verifyCertificate(
        _ leaf: [UInt8], intermediates: [[UInt8]], roots: [[UInt8]], at: Int64, options: Options = []
    ) -> Answer {
        let untrusted = Array(intermediates.joined())
        let trusted = Array(roots.joined())
        let (ok, error) = unsafe withErrorText { error in
            unsafe oracle_x509_verify(
                leaf, leaf.count, untrusted, untrusted.count, trusted, trusted.count, at, options.rawValue, error)
        }
        return ok == 1 ? .ok([]) : .failed(error)
    }

    /// How many bytes `d2i_CMS_ContentInfo` reads, or nil when it refuses them.
    package static func parseCMS(_ der: [UInt8]) -> Int? {
        let (read, _) = unsafe withErrorText { error in unsafe oracle_d2i_cms(der, der.count, error) }
        return read < 0 ? nil : read
    }

    /// How many bytes `d2i_X509` reads, or nil when it refuses them.
    package static func parseCertificate(_ der: [UInt8]) -> Int? {
        let (read, _) = unsafe withErrorText { error in unsafe oracle_d2i_x509(der, der.count, error) }
        return read < 0 ? nil : read
    }

    /// What `d2i_X509` reads from a certificate, a line for each field (see `oracle_certificate`); nil when it refuses it.
    package static func describeCertificate(_ der: [UInt8]) -> [String]? {
        var text = [CChar](repeating: 0, count: 1 << 17)
        let count = unsafe oracle_certificate(der, der.count, &text, text.count)
        guard count > 0 else { return nil }
        let bytes = text.prefix(count).map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// One element as libcrypto's `ASN1_get_object` sees it.
    package struct Element: Hashable, Sendable {
        package var offset: Int
        package var headerLength: Int
        /// Length of the contents; nil when indefinite.
        package var length: Int?
        package var depth: Int
        package var tag: Int
        /// 0, 0x40, 0x80 or 0xC0.
        package var tagClass: Int
        package var isConstructed: Bool
    }

    // MARK: - Memory that runs out

    /// Puts an allocator under libcrypto that can fail: false where libcrypto has allocated already.
    package static func replaceAllocator() -> Bool { oracle_replace_allocator() == 1 }

    /// From now on, the allocation of that number fails, once; the next is number 1.
    package static func failAllocation(_ number: Int) { oracle_fail_allocation(number) }

    /// How many allocations there were since then; none fails any more.
    package static func countAllocations() -> Int { oracle_count_allocations() }

    /// What a function returns in a copy of this process; -1 where it did not come to its end.
    package static func inChild(_ body: @convention(c) () -> Int32) -> Int32 { unsafe oracle_in_child(body) }

    /// This thread's error queue as an application would have it: some entries, and a mark on the newest.
    package static func fillErrorQueue(_ count: Int32, isMarked: Bool) { oracle_fill_errors(count, isMarked ? 1 : 0) }

    /// How many entries the error queue has, which is emptied; -1 when they or the mark are not those that were put there.
    package static func countErrorQueue(isMarked: Bool) -> Int32 { oracle_count_errors(isMarked ? 1 : 0) }

    /// All elements in order, parents before children, ends-of-contents included; nil when the bytes are not BER.
    package static func elements(of der: [UInt8]) -> [Element]? {
        let (count, _) = unsafe withErrorText { error in unsafe oracle_asn1_walk(der, der.count, nil, 0, error) }
        guard count >= 0 else { return nil }
        var elements = [oracle_element](repeating: oracle_element(), count: count)
        let (stored, _) = unsafe withErrorText { error in
            unsafe oracle_asn1_walk(der, der.count, &elements, count, error)
        }
        precondition(stored == count)
        return elements.map { element in
            Element(
                offset: element.offset, headerLength: element.header_length,
                length: element.length < 0 ? nil : element.length, depth: Int(element.depth), tag: Int(element.tag),
                tagClass: Int(element.tag_class), isConstructed: element.constructed != 0)
        }
    }

    /// One primitive element by libcrypto's own `d2i` function, as text (see `oracle_primitive`); nil when it is refused
    /// or something follows it.
    package static func primitive(_ der: [UInt8]) -> String? {
        var text = [CChar](repeating: 0, count: 1_024)
        guard unsafe oracle_primitive(der, der.count, &text, text.count) == der.count else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A digest by OpenSSL's name, such as `SHA1`.
    package static func digest(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        let length = unsafe oracle_digest(name, bytes, bytes.count, &digest)
        precondition(length > 0, "no digest called \(name)")
        return Array(digest.prefix(length))
    }

    // MARK: - Helpers

    private typealias MessageFunction = (
        UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int, Int64, Int32,
        UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<CChar>?
    ) -> Int32

    private static func verifyMessage(
        _ function: MessageFunction, _ der: [UInt8], _ roots: [[UInt8]], _ intermediates: [[UInt8]], _ at: Int64,
        _ options: Options
    ) -> Answer {
        let trusted = Array(roots.joined())
        let untrusted = Array(intermediates.joined())
        var payload: UnsafeMutablePointer<UInt8>?
        var length = 0
        let (ok, error) = unsafe withErrorText { error in
            unsafe function(
                der, der.count, trusted, trusted.count, untrusted, untrusted.count, at, options.rawValue, &payload,
                &length, error)
        }
        guard ok == 1 else { return .failed(error) }
        defer { unsafe oracle_free(payload) }
        return unsafe .ok(Array(UnsafeBufferPointer(start: payload, count: length)))
    }

    static func withErrorText<Result>(
        _ body: (UnsafeMutablePointer<CChar>?) -> Result
    ) -> (Result, String) {
        var text = [CChar](repeating: 0, count: Int(ORACLE_ERROR_SIZE))
        let result = unsafe body(&text)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (result, String(decoding: bytes, as: UTF8.self))
    }
}
