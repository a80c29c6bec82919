// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension UnlockKey {
    static let columns = Columns(
        """
        id project_id device_id person_id purpose sealed_private_key certificate created_at \
        expires_at delete_after
        """)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, device.sqlValue, person.sqlValue, purpose.sqlValue,
            sealedPrivateKey.sqlValue, certificate.sqlValue, createdAt.sqlValue,
            expiresAt.sqlValue, deleteAfter.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), device: try row.identifier(),
            person: try row.identifier(), purpose: try row.text(),
            sealedPrivateKey: try row.bytes(), certificate: try row.bytes(),
            createdAt: try row.time(), expiresAt: try row.time(), deleteAfter: try row.time())
    }
}

extension EncryptionKey {
    static let columns = Columns("id project_id state public_jwk sealed_private_key created_at")

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, state.rawValue.sqlValue, publicJWK.sqlValue,
            sealedPrivateKey.sqlValue, createdAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), state: try row.word(),
            publicJWK: try row.text(), sealedPrivateKey: try row.bytes(),
            createdAt: try row.time())
    }
}
