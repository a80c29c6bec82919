// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing

@Suite struct SpellingSuggestionTests {
    @Test(
        "A slip of the finger is understood",
        arguments: [
            ("lisen", "listen"), ("isuser", "issuer"), ("Listen", "listen"),
            ("redirect_uri", "redirect_uris"), ("clientid", "client_id"),
        ])
    func slips(word: String, meant: String) {
        let names = ["listen", "issuer", "redirect_uris", "client_id", "scope"]
        #expect(SpellingSuggestion.of(word, among: names) == meant)
    }

    @Test(
        "What is far from everything suggests nothing",
        arguments: ["", "x", "colour", "qwertyuiop"])
    func strangers(word: String) {
        #expect(SpellingSuggestion.of(word, among: ["listen", "issuer", "scope"]) == nil)
    }

    @Test("A very long word is not measured")
    func longWords() {
        let word = String(repeating: "a", count: 10_000)
        #expect(SpellingSuggestion.of(word, among: [word]) == nil)
    }
}
