// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Grant {
    static let columns = Columns(
        """
        id project_id client_id person_id session_id scope nonce authentication_methods \
        authenticated_at generation rotated_at created_at expires_at context_class claims \
        installation_id device_id revoked_at
        """)
    /// Columns for conditions. They are written once and not read: ``authenticationMethods`` contains
    /// them.
    static let flags = Columns("shows_key is_federated")
    static let allColumns = Columns(joining: columns, flags)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, client.sqlValue, person.sqlValue, session.sqlValue,
            scope.sqlValue, nonce.sqlValue, authenticationMethods.sqlValue,
            authenticatedAt.sqlValue, generation.sqlValue, rotatedAt.sqlValue, createdAt.sqlValue,
            expiresAt.sqlValue, contextClass.sqlValue, claims.sqlValue, installation.sqlValue,
            device.sqlValue, revokedAt.sqlValue,
        ]
    }

    var flags: [SQLValue] { [showsKey.sqlValue, isFederated.sqlValue] }

    /// The values of ``allColumns``.
    var allValues: [SQLValue] { values + flags }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), client: try row.identifier(),
            person: try row.identifier(), session: try row.optionalIdentifier(),
            scope: try row.text(), nonce: try row.optionalText(),
            authenticationMethods: try row.text(), authenticatedAt: try row.time(),
            generation: try row.integer(), rotatedAt: try row.time(), createdAt: try row.time(),
            expiresAt: try row.time())
        contextClass = try row.text()
        claims = try row.text()
        installation = try row.optionalIdentifier()
        device = try row.optionalIdentifier()
        revokedAt = try row.optionalTime()
    }
}

extension AuthorizationCode {
    /// The columns that a code adds to those of its grant.
    static let columns = Columns(
        "code_hash redirect_uri redirect_uri_was_sent code_challenge code_expires_at")

    /// Reads a grant's columns and then the code's. The grant has its state at the code's issue,
    /// not its current one.
    init(_ row: inout SQLRow) throws {
        var grant = try Grant(&row)
        grant.generation = 0
        grant.rotatedAt = grant.createdAt
        grant.revokedAt = nil
        self.init(
            hash: try row.bytes(), grant: grant, redirectURI: try row.text(),
            redirectURIWasSent: try row.flag(), codeChallenge: try row.optionalText(),
            expiresAt: try row.time())
    }
}
