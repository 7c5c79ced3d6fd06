import CLibcrypto

/// A failure of libcrypto, or of memory: not a statement about any receipt.
///
/// It is thrown, never turned into a verdict: a receipt that could not be checked is neither valid nor forged.
public struct LibcryptoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function that failed.
    public let function: String
    /// What libcrypto put into its error queue, the oldest first; only the newest where the caller had left entries there.
    public let errors: [String]

    public var description: String {
        "\(function) failed" + (errors.isEmpty ? "" : ": " + errors.joined(separator: "; "))
    }
}

/// This thread's error queue before libcrypto's functions are called. It is left as it was: what the application has
/// there is not taken for an answer and stays, its marks too, and nothing is added.
///
/// The queue has room for 16. Where the application has more than about ten there, a failure pushes out the oldest.
struct ErrorQueue {
    private let isEmpty: Bool

    static func mark() -> ErrorQueue { ErrorQueue() }

    // Nothing can be marked in an empty queue; then `restore` takes away all that is there.
    private init() { isEmpty = ERR_set_mark() == 0 }

    /// To be called once, at the end.
    func restore() { _ = ERR_pop_to_mark() }

    /// That a function failed, and why.
    func failure(_ function: String) -> LibcryptoError {
        guard isEmpty else { return LibcryptoError(function: function, errors: [Self.text(ERR_peek_last_error())]) }
        var errors: [String] = []
        while case let code = ERR_get_error(), code != 0 { errors.append(Self.text(code)) }
        return LibcryptoError(function: function, errors: errors)
    }

    /// Whether the newest error is a part of libcrypto's own word about what it was given, such as a point, and none of
    /// the reasons that all parts share: those speak of memory and of other parts.
    func lastIsAbout(_ part: Int32) -> Bool {
        let code = ERR_peek_last_error()
        return CLIBCRYPTO_ERR_GET_LIB(code) == part && CLIBCRYPTO_ERR_GET_REASON(code) < CLIBCRYPTO_ERR_RFLAG_COMMON
    }

    private static func text(_ code: UInt) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            // ERR_error_string_n ends the text with a zero within the size it is given.
            unsafe ERR_error_string_n(code, buffer.baseAddress, buffer.count)
            return unsafe String(cString: buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
