import OpenSSLOracle

extension Oracle {
    /// What `d2i_CMS_ContentInfo` made of a SignedData.
    package struct Container: Hashable, Sendable {
        package var content: [UInt8] = []
        /// DER, in the container's order.
        package var certificates: [[UInt8]] = []
        package var signatures: [[UInt8]] = []
    }

    /// nil when libcrypto refuses the bytes, or they are not one whole SignedData with content.
    package static func container(_ der: [UInt8]) -> Container? {
        var buffer: UnsafeMutablePointer<UInt8>?
        var length = 0
        guard unsafe oracle_cms_parts(der, der.count, &buffer, &length) == 1 else { return nil }
        defer { unsafe oracle_free(buffer) }
        var rest = unsafe [UInt8](UnsafeBufferPointer(start: buffer, count: length))[...]
        var container = Container()
        while let kind = rest.popFirst() {
            let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
            let part = Array(rest.dropFirst(8).prefix(count))
            rest = rest.dropFirst(8 + count)
            switch kind {
            case UInt8(ascii: "c"): container.content = part
            case UInt8(ascii: "x"): container.certificates.append(part)
            default: container.signatures.append(part)
            }
        }
        return container
    }
}
