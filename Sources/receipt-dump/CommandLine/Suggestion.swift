/// The candidate that a misspelt word was probably meant to be, or nil when none is near enough.
///
/// Near is at most one edit for words of up to four letters, two for up to seven, else three, a swap of
/// neighbours being one edit; or the word begins exactly one candidate.
func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let letters = Array(word.lowercased().utf8)
    if letters.count >= 3 {
        let begun = candidates.filter { $0.utf8.starts(with: letters) }
        if begun.count == 1 { return begun.first }
    }
    let allowed = letters.count <= 4 ? 1 : letters.count <= 7 ? 2 : 3
    var best: (name: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(letters, Array(candidate.utf8))
        if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// Damerau's edit distance with adjacent transpositions (the optimal string alignment form).
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var distance = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                distance = min(distance, beforeLast[j - 1] + 1)
            }
            row.append(distance)
        }
        beforeLast = last
        last = row
    }
    return last[b.count]
}
