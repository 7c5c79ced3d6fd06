internal import ReceiptJSON

/// The `commitmentInfo` of a transaction: which of how many billing periods this is.
public struct CommitmentInfo: Hashable, Sendable {
    /// `billingPeriodNumber`: from 1.
    public internal(set) var billingPeriodNumber: Int64?
    /// `commitmentExpiresDate`.
    public internal(set) var commitmentExpiresDate: ReceiptDate?
    /// `commitmentPrice`: thousandths of the currency's unit.
    public internal(set) var commitmentPrice: Int64?
    /// `totalBillingPeriods`.
    public internal(set) var totalBillingPeriods: Int64?
}

extension CommitmentInfo: PayloadModel {
    enum Field: String, PayloadField {
        case billingPeriodNumber
        case commitmentExpiresDate
        case commitmentPrice
        case totalBillingPeriods

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .billingPeriodNumber: billingPeriodNumber = reader.integer(member)
        case .commitmentExpiresDate: commitmentExpiresDate = reader.date(member)
        case .commitmentPrice: commitmentPrice = reader.integer(member)
        case .totalBillingPeriods: totalBillingPeriods = reader.integer(member)
        }
    }
}
