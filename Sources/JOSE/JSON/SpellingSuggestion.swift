// SPDX-License-Identifier: Apache-2.0

/// A suggestion for a misspelled name.
package enum SpellingSuggestion {
    /// Returns the candidate nearest to `word`, if at most a third of the characters differ.
    package static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
        // The cost grows with the product of the lengths; known names are shorter.
        guard word.utf8.count <= 64 else { return nil }
        let limit = max(1, max(word.count, 3) / 3)
        return candidates.map { (name: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= limit }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// `; did you mean "x"?`, or nothing.
    package static func hint(for word: String, among candidates: some Sequence<String>) -> String {
        of(word, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
    static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left.lowercased()), Array(right.lowercased()))
        var (beforeLast, last) = ([Int](), Array(0...b.count))
        for i in 1..<(a.count + 1) {
            var row = [i]
            for j in 1..<(b.count + 1) {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                var best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, beforeLast[j - 2] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
