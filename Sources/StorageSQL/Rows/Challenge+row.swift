// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Challenge {
    static let columns = Columns("hash purpose project_id payload expires_at")

    var values: [SQLValue] {
        [
            hash.sqlValue, purpose.rawValue.sqlValue, project.sqlValue, payload.sqlValue,
            expiresAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            hash: try row.bytes(), purpose: try row.word(), project: try row.identifier(),
            payload: try row.text(), expiresAt: try row.time())
    }
}
