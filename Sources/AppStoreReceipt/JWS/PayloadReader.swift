internal import ReceiptJSON

/// A member of signed JSON that no property stands for.
public struct UnknownMember: Hashable, Sendable {
    /// The path of names to the member, for example `data.newThing`.
    public let name: String
    /// The value as JSON, as it stands in the payload.
    public let json: String
}

/// A documented member in a form in which it was never seen: its property is nil.
///
/// It makes no payload undecodable, so that the signature can still be checked; validation rejects the document after
/// that, unless the policy tolerates the member.
public struct UnreadableMember: Hashable, Sendable {
    /// The path of names to the member, for example `data.status`.
    public let name: String
    /// What was expected, in words: `a string`, `milliseconds since 1970`.
    public let expected: String
    /// The value as JSON, as it stands in the payload.
    public let json: String
    /// Byte offset of the value in the payload.
    public let offset: Int
}

/// What was found in a payload beside the properties of its model.
public struct PayloadRemarks: Hashable, Sendable {
    /// In the order of the payload.
    public internal(set) var unknownMembers: [UnknownMember] = []
    public internal(set) var unreadableMembers: [UnreadableMember] = []
}

/// Reads the members of a payload into the properties of a model.
///
/// `null` counts as absent, as in Apple's own libraries.
struct PayloadReader {
    let bytes: [UInt8]
    let document: JSONDocument
    var remarks = PayloadRemarks()
    /// The names of the objects that the reader is in, each with its point.
    private var path = ""

    init(_ bytes: [UInt8], _ document: JSONDocument) {
        self.bytes = bytes
        self.document = document
    }

    mutating func string(_ member: JSONMember) -> String? {
        if let text = member.value.string(in: bytes.span) { return text }
        return unreadable(member, "a string")
    }

    mutating func value<Value: RawRepresentable<String>>(_ member: JSONMember, _: Value.Type = Value.self) -> Value? {
        string(member).flatMap(Value.init(rawValue:))
    }

    mutating func value<Value: RawRepresentable<Int64>>(_ member: JSONMember, _: Value.Type = Value.self) -> Value? {
        integer(member).flatMap(Value.init(rawValue:))
    }

    mutating func integer(_ member: JSONMember) -> Int64? {
        if let number = member.value.int64(in: bytes.span) { return number }
        return unreadable(member, "a whole number of 64 bits")
    }

    mutating func bool(_ member: JSONMember) -> Bool? {
        if let bool = member.value.bool { return bool }
        return unreadable(member, "true or false")
    }

    /// Milliseconds since 1970, cut to whole ones: Xcode writes fractions. From the year 0, which Xcode's
    /// `originalPurchaseDate` is in, to the year 9999: what RFC 3339 has a form for.
    mutating func date(_ member: JSONMember) -> ReceiptDate? {
        if let number = member.value.roundedDown(in: bytes.span), -62_167_219_200_000..<253_402_300_800_000 ~= number {
            return ReceiptDate(millisecondsSince1970: number)
        }
        return unreadable(member, "milliseconds since 1970, in the years 0 to 9999")
    }

    mutating func strings(_ member: JSONMember) -> [String]? {
        guard member.value.kind == .array else { return unreadable(member, "an array of strings") }
        var texts: [String] = []
        for element in document.elements(of: member.value) {
            guard let text = element.string(in: bytes.span) else { return unreadable(member, "an array of strings") }
            texts.append(text)
        }
        return texts
    }

    /// An object, read by a function that gets each of its members whose name is known.
    mutating func object<Field: PayloadField, Model: PayloadModel>(
        _ member: JSONMember, _: Model.Type = Model.self
    ) -> Model? where Model.Field == Field {
        guard member.value.kind == .object else { return unreadable(member, "an object") }
        return inside(member.name.text(in: bytes.span)) { $0.read(member.value) }
    }

    mutating func objects<Model: PayloadModel>(_ member: JSONMember, _: Model.Type = Model.self) -> [Model]? {
        guard member.value.kind == .array else { return unreadable(member, "an array of objects") }
        var models: [Model] = []
        let name = member.name.text(in: bytes.span)
        for element in document.elements(of: member.value) {
            guard element.kind == .object else { return unreadable(member, "an array of objects") }
            models.append(inside("\(name)[\(models.count)]") { $0.read(element) })
        }
        return models
    }

    /// The model of an object. Members whose names it does not know are kept.
    mutating func read<Model: PayloadModel>(_ object: JSONValue) -> Model {
        var model = Model()
        let table = Model.Field.table
        for member in document.members(of: object) {
            guard let index = table.names.index(of: member.name, in: bytes.span) else {
                remarks.unknownMembers.append(
                    UnknownMember(name: path + member.name.text(in: bytes.span), json: json(member.value)))
                continue
            }
            if member.value.kind != .null { model.read(table.fields[index], member, &self) }
        }
        return model
    }

    private mutating func inside<Result>(_ name: String, _ body: (inout PayloadReader) -> Result) -> Result {
        let outer = path
        path += name + "."
        defer { path = outer }
        return body(&self)
    }

    mutating func unreadable<Value>(_ member: JSONMember, _ expected: String) -> Value? {
        remarks.unreadableMembers.append(
            UnreadableMember(
                name: path + member.name.text(in: bytes.span), expected: expected, json: json(member.value),
                offset: member.value.range.lowerBound))
        return nil
    }

    /// The value as it stands in the payload; a string with its quotation marks.
    private func json(_ value: JSONValue) -> String {
        let range = value.range
        return String(
            decoding: bytes[value.kind == .string ? range.lowerBound - 1..<range.upperBound + 1 : range], as: UTF8.self)
    }
}

/// What is made of one object of a payload.
protocol PayloadModel {
    associatedtype Field: PayloadField
    init()
    /// Takes over one member, which is not null.
    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader)
}

/// The names of an object's members, one case each; the raw value is the name.
protocol PayloadField: CaseIterable, RawRepresentable<String>, Sendable {
    /// Made once: finding a name must not build a table.
    static var table: FieldTable<Self> { get }
}

struct FieldTable<Field: PayloadField>: Sendable {
    let fields: [Field]
    let names: JSONNames

    init() {
        fields = Array(Field.allCases)
        names = JSONNames(fields.map(\.rawValue))
    }
}
