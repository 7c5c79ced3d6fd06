// Writes Fixtures/vectors, Fixtures/roots and Fixtures/intermediates from the recipe in Tests/VectorRecipe:
//
//     swift run make-vectors
//
// Files that the recipe does not make any more are removed.

import TestSupport
import VectorRecipe

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

let files = try Recipe.files()
let folders = ["vectors", "roots", "intermediates"].map { Corpus.fixtures + "/" + $0 }
for folder in folders where FileManager.default.fileExists(atPath: folder) {
    try FileManager.default.removeItem(atPath: folder)
}
for (path, text) in files {
    let url = URL(filePath: Corpus.fixtures + "/" + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
}
print("\(files.count) files in \(Corpus.fixtures)")
