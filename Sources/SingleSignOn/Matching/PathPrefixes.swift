// SPDX-License-Identifier: Apache-2.0

/// The longest of many prefixes of a path, found by halving: a lookup among 10,000 takes as many
/// comparisons as fingers.
///
/// In sorted order, everything between a prefix and a path that begins with it begins with it as
/// well. So the greatest entry that is not above the path either is the longest prefix, or lies
/// within it; and each entry knows the next shorter one that it lies within.
struct PathPrefixes<Value: Sendable>: Sendable {
    private struct Entry {
        let letters: [UInt8]
        let value: Value
        /// The longest other entry that this one begins with.
        var enclosing: Int?
    }

    private var entries: [Entry] = []

    /// - Parameter prefixes: of the same text, the first counts.
    init(_ prefixes: [(path: String, value: Value)]) {
        var seen: Set<String> = []
        let distinct = prefixes.filter { seen.insert($0.path).inserted }
        entries = distinct.map { Entry(letters: Array($0.path.utf8), value: $0.value) }
            .sorted { $0.letters.lexicographicallyPrecedes($1.letters) }
        var open: [Int] = []
        for index in entries.indices {
            while let last = open.last, !entries[index].letters.starts(with: entries[last].letters)
            {
                open.removeLast()
            }
            entries[index].enclosing = open.last
            open.append(index)
        }
    }

    /// What belongs to the longest prefix of the path.
    func longest(of path: String) -> Value? {
        let letters = Array(path.utf8)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if letters.lexicographicallyPrecedes(entries[middle].letters) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        var candidate = low > 0 ? low - 1 : nil
        while let index = candidate, !letters.starts(with: entries[index].letters) {
            candidate = entries[index].enclosing
        }
        return candidate.map { entries[$0].value }
    }
}
