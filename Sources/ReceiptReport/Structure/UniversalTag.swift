import ReceiptASN1

/// Universal tag numbers (X.680 8.6) that the tree treats by name.
enum UniversalTag {
    static let boolean: UInt32 = 1
    static let integer: UInt32 = 2
    static let bitString: UInt32 = 3
    static let octetString: UInt32 = 4
    static let null: UInt32 = 5
    static let objectIdentifier: UInt32 = 6
    static let enumerated: UInt32 = 10
    static let utf8String: UInt32 = 12
    static let sequence: UInt32 = 16
    static let set: UInt32 = 17
    static let utcTime: UInt32 = 23
    static let generalizedTime: UInt32 = 24
    static let bmpString: UInt32 = 30

    /// String types whose octets are ASCII, or nearly.
    static let asciiStrings: ClosedRange<UInt32> = 18...27

    static func name(_ number: UInt32) -> String? {
        // 15 and 31 are no types.
        number < 31 && number != 15 ? Tag.universalNames[Int(number)] : nil
    }
}
