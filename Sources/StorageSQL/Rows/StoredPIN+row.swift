// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoredPIN {
    static let columns = Columns(
        """
        project_id key_id installation_id person_id public_jwk content ending revision created_at
        """)

    var values: [SQLValue] {
        [
            project.sqlValue, keyID.sqlValue, installation.sqlValue, person.sqlValue,
            publicJWK.sqlValue, content.sqlValue, ending.sqlValue, revision.sqlValue,
            createdAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            project: try row.identifier(), keyID: try row.bytes(),
            installation: try row.optionalIdentifier(), person: try row.identifier(),
            publicJWK: try row.text(), content: try row.text(), ending: try row.optionalText(),
            revision: try row.integer(), createdAt: try row.time())
    }
}
