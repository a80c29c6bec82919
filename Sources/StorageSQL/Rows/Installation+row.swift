// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Installation {
    static let columns = Columns(
        """
        id project_id person_id registration_id method binding credential_id name details \
        created_at
        """)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, person.sqlValue, registrationID.sqlValue,
            method.sqlValue, binding.sqlValue, credential.sqlValue, name.sqlValue,
            details.sqlValue, createdAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), person: try row.identifier(),
            registrationID: try row.bytes(), method: try row.text(), binding: try row.bytes(),
            credential: try row.optionalIdentifier(), name: try row.text(),
            details: try row.text(), createdAt: try row.time())
    }
}
