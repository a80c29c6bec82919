// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Approval {
    static let columns = Columns(
        """
        id project_id client_id request_hash code_hash person_id installation_id scope message \
        transaction_text nonce state answer poll_interval created_at expires_at
        """)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, client.sqlValue, requestHash.sqlValue,
            codeHash.sqlValue, person.sqlValue, installation.sqlValue, scope.sqlValue,
            message.sqlValue, transaction.sqlValue, nonce.sqlValue, state.rawValue.sqlValue,
            answer.sqlValue, interval.sqlValue, createdAt.sqlValue, expiresAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), client: try row.identifier(),
            requestHash: try row.bytes(), codeHash: try row.optionalBytes(),
            person: try row.optionalIdentifier(), installation: try row.optionalIdentifier(),
            scope: try row.text(), message: try row.text(), transaction: try row.text(),
            nonce: try row.bytes(), state: try row.word(), answer: try row.optionalText(),
            interval: try row.integer(), createdAt: try row.time(), expiresAt: try row.time())
    }
}

extension ApprovalEnrollment {
    static let columns = Columns("installation_id push_token enrolled_at")

    var values: [SQLValue] {
        [installation.sqlValue, sealedPushToken.sqlValue, enrolledAt.sqlValue]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            installation: try row.identifier(), sealedPushToken: try row.optionalBytes(),
            enrolledAt: try row.time())
    }
}
