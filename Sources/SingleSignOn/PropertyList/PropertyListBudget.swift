// SPDX-License-Identifier: Apache-2.0

/// What a reader may still read. A binary property list of a hundred bytes can unfold to more than
/// any memory holds, because values may be shared; so what counts is what it unfolds to.
struct PropertyListBudget {
    private var values: Int
    private var content: Int
    private let depth: Int

    init(_ limits: PropertyListLimits) {
        values = limits.values
        content = limits.content
        depth = limits.depth
    }

    /// One more value of so many bytes.
    mutating func spend(content bytes: Int = 0, at offset: Int) throws(PropertyListError) {
        values -= 1
        content -= min(bytes, content + 1)
        guard values >= 0, content >= 0 else {
            throw PropertyListError(.tooMuch, at: offset, "there are too many values")
        }
    }

    /// One container more around what follows.
    func enter(_ depth: Int, at offset: Int) throws(PropertyListError) -> Int {
        guard depth < self.depth else {
            throw PropertyListError(
                .tooDeep, at: offset, "more than \(self.depth) containers inside one another")
        }
        return depth + 1
    }
}
