// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Grant: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Grant(
        id: .zero, project: .zero, client: .zero, person: .zero, session: nil, scope: "",
        authenticationMethods: "", authenticatedAt: .zero, rotatedAt: .zero, createdAt: .zero,
        expiresAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("client_id", &client)
        try column("person_id", &person)
        try column("session_id", &session)
        try column("scope", &scope)
        try column("nonce", &nonce)
        try column("authentication_methods", &authenticationMethods)
        try column("authenticated_at", &authenticatedAt)
        try column("generation", &generation)
        try column("rotated_at", &rotatedAt)
        try column("created_at", &createdAt)
        try column("expires_at", &expiresAt)
        try column("context_class", &contextClass)
        try column("claims", &claims)
        try column("installation_id", &installation)
        try column("device_id", &device)
        try column("revoked_at", &revokedAt)
    }

    /// Columns for conditions. They are written once and not read: ``authenticationMethods`` contains
    /// them.
    static let flags = Columns("shows_key is_federated")
    static let allColumns = Columns(joining: columns, flags)

    var flags: [SQLValue] { [showsKey.sqlValue, isFederated.sqlValue] }

    /// The values of ``allColumns``.
    var allValues: [SQLValue] { get throws { try values(and: flags) } }

    /// The values of ``SQLDialect/grantInsert``.
    func pendingValues(
        code: AuthorizationCode? = nil, deleteAfter end: Timestamp
    ) throws -> [SQLValue] {
        try values(
            and: (code?.values ?? AuthorizationCode.noValues) + [end.sqlValue] + flags)
    }
}

/// The columns that a code adds to those of its grant.
extension AuthorizationCode: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = AuthorizationCode(
        hash: [], grant: .blank, redirectURI: "", redirectURIWasSent: false, codeChallenge: nil,
        expiresAt: .zero)
    static let noValues = [SQLValue](repeating: .null, count: columns.names.count)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("code_hash", &hash)
        try column("redirect_uri", &redirectURI)
        try column("redirect_uri_was_sent", &redirectURIWasSent)
        try column("code_challenge", &codeChallenge)
        try column("code_expires_at", &expiresAt)
    }

    /// Reads a grant's columns and then the code's. The grant has its state at the code's issue,
    /// not its current one.
    init(_ row: inout SQLRow) throws {
        self = .blank
        grant = try Grant(&row)
        grant.generation = 0
        grant.rotatedAt = grant.createdAt
        grant.revokedAt = nil
        try columns(&row)
    }
}
