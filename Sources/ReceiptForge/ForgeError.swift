/// Why a forgery could not be made: a place that is not there, or a key that does not fit its algorithm.
///
/// It is a fault of the test that asked, or of libcrypto. What a forged receipt does to the code under test is
/// never reported this way.
public struct ForgeError: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}

extension Optional {
    /// `??` for a right side that throws: the operator itself forgets which error.
    func orMake(_ make: () throws(ForgeError) -> Wrapped) throws(ForgeError) -> Wrapped {
        if let self { return self }
        return try make()
    }
}
