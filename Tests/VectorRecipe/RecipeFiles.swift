extension Recipe {
    /// Every file that the recipe makes, by its path in `Fixtures`.
    package static func files() throws -> [(path: String, text: String)] {
        let vectors = try vectors().map { ("vectors/\($0.group)/\($0.name).txt", $0.text) }
        let roots = try roots().map { ("roots/\($0.name).pem", $0.certificate.pem) }
        let intermediates = try intermediates().map { ("intermediates/\($0.name).pem", $0.certificate.pem) }
        let files = vectors + roots + intermediates
        let names = Set(files.map(\.0))
        guard names.count == files.count else {
            let twice = files.map(\.0).filter { name in files.filter { $0.0 == name }.count > 1 }
            throw VectorError("two cases of one name: \(Set(twice).sorted())")
        }
        return files
    }
}
