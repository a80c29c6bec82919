// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The picture in the documentation is drawn from the code. After a change of the machine, draw it
/// again: `GATEHOUSE_DRAW=1 swift test --filter MachineDrawing`.
@Suite struct MachineDrawingTests {
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/agent.md")
    private static let begin = "<!-- drawn: MachineDrawingTests -->\n"
    private static let end = "\n<!-- end -->"

    @Test("docs/agent.md shows every transition that the machine can make, and no other")
    func drawing() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(page.range(of: Self.begin)?.upperBound)
        let rest = start..<page.endIndex
        let stop = try #require(page.range(of: Self.end, range: rest)?.lowerBound)
        let drawn = MachineDrawing(MachineExplorer.everyStep).text
        if ProcessInfo.processInfo.environment["GATEHOUSE_DRAW"] != nil {
            try (page[..<start] + drawn + page[stop...]).write(
                to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(String(page[start..<stop]) == drawn, "stale; see this suite's comment")
        }
    }
}
