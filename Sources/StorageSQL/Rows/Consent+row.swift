// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Consent {
    static let columns = Columns("project_id person_id client_id scope given_at")

    var values: [SQLValue] {
        [
            project.sqlValue, person.sqlValue, client.sqlValue, scope.sqlValue, givenAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            project: try row.identifier(), person: try row.identifier(),
            client: try row.identifier(), scope: try row.text(), givenAt: try row.time())
    }
}
