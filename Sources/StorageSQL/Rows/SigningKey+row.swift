// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension SigningKey {
    static let columns = Columns(
        """
        id project_id kid algorithm state public_jwk sealed_private_key created_at changed_at
        """)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, kid.sqlValue, algorithm.sqlValue,
            state.rawValue.sqlValue, publicJWK.sqlValue, sealedPrivateKey.sqlValue,
            createdAt.sqlValue, changedAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), kid: try row.text(),
            algorithm: try row.text(), state: try row.word(), publicJWK: try row.text(),
            sealedPrivateKey: try row.bytes(), createdAt: try row.time(),
            changedAt: try row.time())
    }
}
