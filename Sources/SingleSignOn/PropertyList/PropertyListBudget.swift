// SPDX-License-Identifier: Apache-2.0

/// The remaining size that a reader accepts. Values may be shared, so a binary property list of a
/// hundred bytes can expand beyond all memory. Therefore the expanded size counts.
struct PropertyListBudget {
    private var values: Int
    private var content: Int
    private let depth: Int

    init(_ limits: PropertyListLimits) {
        values = limits.values
        content = limits.content
        depth = limits.depth
    }

    /// Subtracts one more value of that size.
    mutating func spend(content bytes: Int = 0, at offset: Int) throws(PropertyListError) {
        values -= 1
        content -= min(bytes, content + 1)
        guard values >= 0, content >= 0 else {
            throw PropertyListError(.tooMuch, at: offset, "there are too many values")
        }
    }

    /// Checks one more level of nesting.
    func enter(_ depth: Int, at offset: Int) throws(PropertyListError) -> Int {
        guard depth < self.depth else {
            throw PropertyListError(
                .tooDeep, at: offset, "more than \(self.depth) containers inside one another")
        }
        return depth + 1
    }
}
