// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let themes = StoredJSON<Theme>()
private let policies = StoredJSON<ProjectPolicy>()

extension Project {
    static let columns = Columns("id name environment theme policy created_at")

    func values() throws -> [SQLValue] {
        [
            id.sqlValue, name.sqlValue, environment.rawValue.sqlValue,
            try themes.encode(theme).sqlValue, try policies.encode(policy).sqlValue,
            createdAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), name: try row.text(), environment: try row.word(),
            theme: try themes.decode(row.text()), policy: try policies.decode(row.text()),
            createdAt: try row.time())
    }
}
