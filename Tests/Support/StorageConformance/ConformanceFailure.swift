// SPDX-License-Identifier: Apache-2.0

/// What an engine did wrong, and the line of the kit that saw it.
package struct ConformanceFailure: Error, CustomStringConvertible {
    package let description: String
}

func expect(
    _ condition: Bool, _ words: String = "does not hold", file: StaticString = #fileID,
    line: UInt = #line
) throws {
    if condition { return }
    throw ConformanceFailure(description: "\(file):\(line): \(words)")
}

func expectEqual<T: Equatable>(
    _ found: T, _ expected: T, file: StaticString = #fileID, line: UInt = #line
) throws {
    try expect(found == expected, "found \(found), expected \(expected)", file: file, line: line)
}

/// What `body` throws must be a failure of the store, and must happen.
func expectFailure(
    file: StaticString = #fileID, line: UInt = #line, _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch {
        if error is ConformanceFailure { throw error }
        return
    }
    throw ConformanceFailure(description: "\(file):\(line): nothing was thrown")
}
