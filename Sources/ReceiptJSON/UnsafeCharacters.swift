extension Unicode.Scalar {
    /// Characters that move the cursor, hide, or reorder what a reader sees.
    package var isUnsafeOnTerminal: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true  // C0, delete, C1
        case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0: true  // invisible letters and marks
        case 0x180B...0x180F: true  // Mongolian selectors and vowel separator
        case 0x200B...0x200F, 0x2028...0x202E: true  // zero width, marks, separators, embeddings, overrides
        case 0x2060...0x206F: true  // word joiner, isolates, deprecated format characters
        case 0xFE00...0xFE0F, 0xFEFF, 0xFFF0...0xFFFB: true  // variation selectors, byte order mark, interlinear
        case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true  // format controls, tags
        case _ where value & 0xFFFE == 0xFFFE: true  // noncharacters
        default: false
        }
    }
}
