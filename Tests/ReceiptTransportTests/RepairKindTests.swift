import AppStoreReceipt
import ReceiptTransport
import Testing

/// The lists that have to agree.
@Suite struct RepairKindTests {
    @Test func everyKindHasRoomAndACodeOfItsOwn() {
        #expect(RepairKind.allCases.count <= RepairTally.room)
        #expect(RepairKind.allCases.map(\.rawValue) == Array(0..<RepairKind.allCases.count))
        #expect(Set(RepairKind.allCases.map(\.code)).count == RepairKind.allCases.count)
    }
}
