// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing

@testable import gatehouse

@Suite("A group, printed at a terminal")
struct GroupTextTests {
    @Test("A count is exact, or has a plus if the group has more members than were counted")
    func counts() {
        let groups: [JSONValue] = [
            ["name": "few", "members": 2, "has_more_members": false],
            ["name": "all", "members": 1000, "has_more_members": true],
            // Of a server before there was a bound.
            ["name": "old", "members": 3000],
        ]
        let text = ProjectOptions.table(
            groups.map(AdminGroupsCommand.row), columns: AdminGroupsCommand.columns)
        let cells = text.split(separator: "\n").map { $0.split(separator: " ").last }
        #expect(cells.suffix(3) == ["2", "1000+", "3000"])
    }
}
