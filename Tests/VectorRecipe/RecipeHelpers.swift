import ReceiptForge

extension Recipe {
    /// A plain production receipt without purchases.
    static func receipt(_ edit: (inout ForgedReceipt) -> Void = { _ in }) -> ForgedReceipt {
        var receipt = ForgedReceipt()
        edit(&receipt)
        return receipt
    }

    /// The plain receipt, signed under a root.
    static func message(
        _ root: Root = .standard, editing edit: (inout MessageTemplate) -> Void = { _ in }
    ) throws -> ForgedMessage {
        try receipt().signed(by: root.chain(), editing: edit)
    }

    /// A receipt with changes, signed well under the standard root.
    static func signed(_ edit: (inout ForgedReceipt) -> Void) throws -> [UInt8] {
        try receipt(edit).signed(by: Root.standard.chain()).bytes
    }

    /// The plain receipt under the standard root with changes to its chain.
    static func chained(_ edit: (inout ChainTemplate) -> Void) throws -> [UInt8] {
        try receipt().signed(by: Root.standard.chain(editing: edit)).bytes
    }

    /// An attribute whose value octets are those of a node.
    static func attribute(_ type: Int, _ node: BERNode) -> ForgedAttribute { ForgedAttribute(type, .element(node)) }
}
