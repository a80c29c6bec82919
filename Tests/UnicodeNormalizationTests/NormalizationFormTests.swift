// SPDX-License-Identifier: Apache-2.0
import Testing
import UnicodeNormalization

@Suite struct NormalizationFormTests {
    /// Lines of the figures of Unicode Standard Annex 15.
    @Test(
        "Texts of Unicode Standard Annex 15, in each form",
        arguments: [
            ("\u{212B}", "\u{C5}", "\u{C5}", "A\u{30A}"),
            ("\u{2126}", "\u{3A9}", "\u{3A9}", "\u{3A9}"),
            ("A\u{30A}", "\u{C5}", "\u{C5}", "A\u{30A}"),
            ("s\u{307}\u{323}", "\u{1E69}", "\u{1E69}", "s\u{323}\u{307}"),
            ("\u{FB01}", "\u{FB01}", "fi", "fi"),
            ("2\u{2075}", "2\u{2075}", "25", "25"),
            ("\u{1E9B}\u{323}", "\u{1E9B}\u{323}", "\u{1E69}", "s\u{323}\u{307}"),
            ("\u{D55C}", "\u{D55C}", "\u{D55C}", "\u{1112}\u{1161}\u{11AB}"),
            ("\u{FF21}\u{FF1A}", "\u{FF21}\u{FF1A}", "A:", "A:"),
        ])
    func forms(text: String, c: String, kc: String, kd: String) {
        #expect(scalars(NormalizationForm.composed(text)) == scalars(c))
        #expect(scalars(NormalizationForm.compatibilityComposed(text)) == scalars(kc))
        #expect(scalars(NormalizationForm.compatibilityDecomposed(text)) == scalars(kd))
    }

    @Test(
        "ASCII, the empty text, NUL and emoji are as they were",
        arguments: ["", "a b", "a\0ä", "👩‍🚀"])
    func unchanged(text: String) {
        #expect(scalars(NormalizationForm.composed(text)) == scalars(text))
    }

    /// `==` of texts does not distinguish forms.
    private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
