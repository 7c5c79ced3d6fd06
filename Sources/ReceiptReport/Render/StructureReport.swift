/// Renders the tree of any bytes: `--format asn1`.
///
/// One line an element: offset in the original bytes, octets of its header, octets of its content, and the
/// element, indented by its depth. Returns whether no fault was found.
package func renderStructure(_ bytes: [UInt8], write: @escaping ([UInt8]) -> Bool) -> Bool {
    var isSound = true
    var chunk: [UInt8] = []
    chunk.append(contentsOf: " offset  header   length\n".utf8)
    StructureTree.walk(bytes) { line in
        if line.kind == .fault { isSound = false }
        appendLine(line, to: &chunk)
        guard chunk.count >= 32_768 else { return true }
        let goesOn = write(chunk)
        chunk.removeAll(keepingCapacity: true)
        return goesOn
    }
    if !chunk.isEmpty { _ = write(chunk) }
    return isSound
}

private func appendLine(_ line: TreeLine, to chunk: inout [UInt8]) {
    appendPadded(String(line.offset), width: 7, to: &chunk)
    appendPadded(line.headerLength.map { String($0) } ?? "", width: 8, to: &chunk)
    let length =
        switch line.contentLength {
        case .none: ""
        case .definite(let length): String(length)
        case .indefinite: "indef"
        }
    appendPadded(length, width: 9, to: &chunk)
    chunk.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 + 2 * line.depth))
    switch line.kind {
    case .element, .opened: break
    case .note: chunk.append(contentsOf: "- ".utf8)
    case .fault: chunk.append(contentsOf: "! ".utf8)
    }
    chunk.append(contentsOf: line.text.utf8)
    chunk.append(UInt8(ascii: "\n"))
}

private func appendPadded(_ word: String, width: Int, to chunk: inout [UInt8]) {
    let count = word.utf8.count
    if count < width { chunk.append(contentsOf: repeatElement(UInt8(ascii: " "), count: width - count)) }
    chunk.append(contentsOf: word.utf8)
}
