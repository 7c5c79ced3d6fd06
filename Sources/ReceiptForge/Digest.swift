import CLibcrypto

/// A digest algorithm, by what CMS and X.509 need of it.
public enum DigestAlgorithm: String, Hashable, Sendable, CaseIterable {
    case md5 = "MD5"
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"

    /// Its object identifier: RFC 3370 section 2 and RFC 5754 section 2.
    public var arcs: [UInt] {
        switch self {
        case .md5: [1, 2, 840, 113549, 2, 5]
        case .sha1: [1, 3, 14, 3, 2, 26]
        case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
        case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
        case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
        }
    }

    /// The AlgorithmIdentifier, with the NULL parameters that receipts carry.
    public var identifier: BERNode { .sequence([.oid(arcs), .null]) }

    public func digest(_ bytes: [UInt8]) throws(ForgeError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length = 0
        let done = unsafe EVP_Q_digest(
            try Libcrypto.context(), rawValue, nil, bytes, bytes.count, &digest, &length)
        guard done == 1 else { throw Libcrypto.error("digest \(rawValue)") }
        return Array(digest.prefix(length))
    }
}
