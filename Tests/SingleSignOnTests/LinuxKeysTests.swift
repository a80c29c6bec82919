// SPDX-License-Identifier: Apache-2.0
import Foundation
import SingleSignOn
import Testing

/// docs/agent.md says of every key of a profile what it does on Linux.
@Suite struct LinuxKeysTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/agent.md")

    /// The rows of the table: key and effect.
    private func rows() throws -> [(key: String, effect: String)] {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let begin = try #require(text.firstRange(of: "<!-- keys:"))
        let end = try #require(text[begin.upperBound...].firstRange(of: "<!-- end -->"))
        return text[begin.upperBound..<end.lowerBound].split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
            .compactMap { line in
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                guard cells.count == 2 else { return nil }
                return (cells[0].replacing("`", with: ""), cells[1])
            }
    }

    @Test("Every key of the table in Sources/SingleSignOn has one row, and there is no other")
    func complete() throws {
        let known =
            SSOConfiguration.descriptions.map(\.name) + PlatformSSOSettings.descriptions.map(\.name)
            + TokenToUserMapping.descriptions.map(\.name)
        let documented = try rows().map(\.key)
        #expect(documented.sorted() == Set(known).sorted())
    }

    @Test("Every row says what the key does, or why it does nothing")
    func reasons() throws {
        for (key, effect) in try rows() {
            #expect(effect.hasSuffix("."), "\(key)")
            #expect(effect != "Nothing.", "\(key)")
        }
    }
}
