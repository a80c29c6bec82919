// SPDX-License-Identifier: Apache-2.0

/// The words that belong to one person and one site, and so are guessed first.
struct ContextWords {
    private let words: [[Unicode.Scalar]]

    /// Splits names and addresses: `anna.johnson@example.com` results in `anna`, `johnson`,
    /// `example`, and the whole. Parts of fewer than three characters are ignored.
    init(_ texts: [String]) {
        var words: Set<String> = []
        for text in texts.prefix(16) {
            let folded = text.prefix(256).lowercased()
            words.insert(folded)
            for part in folded.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                words.insert(String(part))
            }
        }
        self.words =
            words.compactMap { Password($0)?.scalars }
            .filter { $0.count >= 3 }
            .sorted { $0.count > $1.count }
    }

    /// Whether the password consists of only these words and up to four non-alphabetic characters,
    /// forwards or backwards: `anna.johnson`, `Johnson1985!`.
    func explain(_ password: [Unicode.Scalar]) -> Bool {
        leavesNothing(of: password) || leavesNothing(of: password.reversed())
    }

    private func leavesNothing(of password: [Unicode.Scalar]) -> Bool {
        var rest = password[...]
        var loose = 0
        var found = false
        while let first = rest.first {
            if let word = words.first(where: { rest.starts(with: $0) }) {
                rest = rest.dropFirst(word.count)
                found = true
            } else if !first.properties.isAlphabetic {
                rest = rest.dropFirst()
                loose += 1
            } else {
                return false
            }
        }
        return found && loose <= 4
    }
}
