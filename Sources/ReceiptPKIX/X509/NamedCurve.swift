package import ReceiptASN1

/// The named curves of keys that Apple signs with (RFC 5480 section 2.1.1.1, FIPS 186-5): P-256 and P-384.
package enum NamedCurve: Hashable, Sendable, CaseIterable {
    case p256, p384

    /// Nil for every other curve.
    package init?(_ identifier: ObjectIdentifier) {
        guard let curve = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
        self = curve
    }

    /// secp256r1, 1.2.840.10045.3.1.7; secp384r1, 1.3.132.0.34.
    package var identifier: ObjectIdentifier {
        switch self {
        case .p256: ObjectIdentifier(0x2A86_48CE_3D03_0107, count: 8)
        case .p384: ObjectIdentifier(0x2B_8104_0022, count: 5)
        }
    }

    package var name: String { self == .p256 ? "P-256" : "P-384" }

    /// Octets of a coordinate, and of each number of a signature.
    package var byteCount: Int { self == .p256 ? 32 : 48 }

    /// The order n of the base point, big-endian (SP 800-186 section 3.2.1).
    package var order: [UInt8] {
        switch self {
        case .p256:
            [
                0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
            ]
        case .p384:
            [
                0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xC7, 0x63, 0x4D, 0x81, 0xF4, 0x37, 0x2D, 0xDF,
                0x58, 0x1A, 0x0D, 0xB2, 0x48, 0xB0, 0xA7, 0x7A, 0xEC, 0xEC, 0x19, 0x6A, 0xCC, 0xC5, 0x29, 0x73,
            ]
        }
    }
}
