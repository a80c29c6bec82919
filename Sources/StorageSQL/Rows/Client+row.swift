// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedMetadata = StoredJSON<ClientMetadata>()

extension Client {
    static let columns = Columns(
        "id project_id client_id metadata secret_hash disabled created_at")

    func values() throws -> [SQLValue] {
        [
            id.sqlValue, project.sqlValue, clientID.sqlValue,
            try storedMetadata.encode(metadata).sqlValue, secretHash.sqlValue, disabled.sqlValue,
            createdAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), clientID: try row.text(),
            metadata: try storedMetadata.decode(row.text()), secretHash: try row.optionalBytes(),
            disabled: try row.flag(), createdAt: try row.time())
    }
}
