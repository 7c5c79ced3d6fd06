import ReceiptForge

/// The recipe of all vectors: the same keys and the same recipe give the same files.
package enum Recipe {
    /// All vectors, by group.
    package static func vectors() throws -> [Vector] {
        let groups: [(String, (inout VectorGroup) throws -> Void)] = [
            ("encoding", encoding), ("attributes", attributes), ("transport", transport), ("signature", signature),
            ("chain", chain), ("container", container), ("certificates", certificates), ("time", time),
            ("policy", policy), ("history", history),
            ("xcode", xcode), ("vpp", vpp), ("refunds", refunds), ("large", large), ("other-cms", otherCMS),
            ("transaction", transaction), ("signed-json", signedJSON), ("app-attest", appAttest),
        ]
        return try groups.flatMap { name, fill in
            var group = VectorGroup(name: name)
            try fill(&group)
            return group.vectors
        }
    }

    /// The roots that vectors name, by the name of their files.
    package static func roots() throws -> [(name: String, certificate: ForgedCertificate)] {
        try Root.allCases.map { ($0.rawValue, try $0.chain().root) }
    }
}

/// A root that a vector trusts, and the chain that ends there.
package enum Root: String, CaseIterable, Sendable {
    case standard
    case sha1
    /// Another chain of the same form, with other keys and another name.
    case other
    /// Another key under the name of `standard`.
    case impostor
    case xcode
    case otherXcode = "other-xcode"
    /// Named like Apple's, for the generations of the past.
    case history
    /// A root that allows no intermediate below it.
    case pathLengthZero = "path-length-zero"
    /// A root of 2010 to 2020.
    case shortLived = "short-lived"
    case jws
    case xcodeJWS = "xcode-jws"
    case appAttest = "app-attest"

    package func chain(editing edit: (inout ChainTemplate) -> Void = { _ in }) throws -> ForgedPKI {
        switch self {
        case .standard: try ForgedPKI(.standard(), editing: edit)
        case .sha1: try ForgedPKI(.sha1(), editing: edit)
        case .other: try ForgedPKI(.standard(seed: 1), editing: edit)
        case .impostor:
            try ForgedPKI(.standard()) { template in
                template.root.key = TestKeys.rsa2048(9)
                edit(&template)
            }
        case .xcode: try ForgedPKI(.xcode(), editing: edit)
        case .otherXcode: try ForgedPKI(.xcode(seed: 1), editing: edit)
        case .jws: try ForgedPKI(.jws(), editing: edit)
        case .xcodeJWS: try ForgedPKI(.xcodeJWS(), editing: edit)
        case .appAttest: try ForgedPKI(.appAttest(), editing: edit)
        case .history: try ForgedPKI(.generation(.g1, organization: "Apple Inc."), editing: edit)
        case .pathLengthZero:
            try ForgedPKI(.standard(seed: 2)) { template in
                template.root.basicConstraints?.pathLength = 0
                edit(&template)
            }
        case .shortLived:
            try ForgedPKI(.standard(seed: 4)) { template in
                template.root.notBefore = "2010-01-01T00:00:00Z"
                template.root.notAfter = "2020-01-01T00:00:00Z"
                edit(&template)
            }
        }
    }
}

/// Collects the vectors of a group.
package struct VectorGroup {
    let name: String
    var vectors: [Vector] = []

    /// Adds a case. Names are file names: lower case, with hyphens.
    ///
    /// - Parameters:
    ///   - expect: `valid`, `rejected/REASON` or `undecodable/CODE@OFFSET`.
    ///   - openssl: what `CMS_verify` says.
    ///   - root: whom the policy trusts; nil for Apple's root.
    mutating func add(
        _ name: String, _ expect: String, openssl: String, _ comment: String, _ input: [UInt8], root: Root? = .standard,
        _ more: [(Vector.Key, String)] = []
    ) {
        var headers = [Vector.Header(key: .expect, value: expect)]
        headers.append(Vector.Header(key: .root, value: root?.rawValue ?? "apple"))
        headers += more.map { Vector.Header(key: $0, value: $1) }
        headers.append(Vector.Header(key: .openssl, value: openssl))
        headers.append(Vector.Header(key: .comment, value: comment))
        vectors.append(Vector(group: self.name, name: name, headers: headers, input: input))
    }

    /// A valid receipt.
    mutating func valid(
        _ name: String, _ comment: String, _ input: [UInt8], root: Root? = .standard, _ more: (Vector.Key, String)...
    ) {
        add(name, "valid", openssl: "ok", comment, input, root: root, more)
    }

    /// A receipt that is rejected.
    mutating func rejected(
        _ name: String, _ reason: String, openssl: String, _ comment: String, _ input: [UInt8], root: Root? = .standard,
        _ more: (Vector.Key, String)...
    ) {
        add(name, "rejected/\(reason)", openssl: openssl, comment, input, root: root, more)
    }

    /// Bytes that do not decode.
    mutating func undecodable(
        _ name: String, _ code: String, at offset: Int, openssl: String, _ comment: String, _ input: [UInt8],
        root: Root? = .standard, _ more: (Vector.Key, String)...
    ) {
        add(name, "undecodable/\(code)@\(offset)", openssl: openssl, comment, input, root: root, more)
    }
}
