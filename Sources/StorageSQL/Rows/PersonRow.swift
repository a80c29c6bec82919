// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedClaims = StoredJSON<PersonClaims>()

extension Person {
    static let columns = Columns("id project_id username claims disabled created_at")

    func values() throws -> [SQLValue] {
        [
            id.sqlValue, project.sqlValue, username.sqlValue,
            try storedClaims.encode(claims).sqlValue, disabled.sqlValue, createdAt.sqlValue,
        ]
    }

    /// What the person is found by when they have lost everything else.
    var verifiedEmail: String? {
        claims.emailVerified == true ? claims.email?.lowercased() : nil
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), username: try row.text(),
            claims: try storedClaims.decode(row.text()), disabled: try row.flag(),
            createdAt: try row.time())
    }
}
