// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedClaims = StoredJSON<PersonClaims>()
/// Empty claims, as most people from app registrations have: written without an encoder.
private let noClaims = PersonClaims()

extension Person {
    static let columns = Columns(
        """
        id project_id username realm user_name claims disabled created_at origin attributes \
        entitlement_set \
        shown_name account_name invited_until
        """
    )

    func values() throws -> [SQLValue] {
        [
            id.sqlValue, project.sqlValue, qualifiedName.sqlValue, realm.sqlValue,
            username.sqlValue, try claimsValue(), disabled.sqlValue, createdAt.sqlValue,
            origin.sqlValue, attributes.sqlValue, entitlementSet.sqlValue, shownName.sqlValue,
            accountName.sqlValue, invitedUntil.sqlValue,
        ]
    }

    func claimsValue() throws -> SQLValue {
        try (claims == noClaims ? "{}" : storedClaims.encode(claims)).sqlValue
    }

    /// The address by which the person is found for account recovery.
    var verifiedEmail: String? {
        claims.emailVerified == true ? claims.email?.lowercased() : nil
    }

    init(_ row: inout SQLRow) throws {
        let (id, project) = (try row.identifier(Person.self), try row.identifier(Project.self))
        let name = try Self.name(&row)
        self.init(
            id: id, project: project, username: name.username, realm: name.realm,
            claims: try storedClaims.decode(row.text()), disabled: try row.flag(),
            createdAt: try row.time(), origin: try row.text(), attributes: try row.text(),
            entitlementSet: try row.text())
        // The row was inserted by a concurrent older version; the next start assigns the name.
        shownName = try row.optionalText() ?? (realm.isEmpty ? username : id.description)
        accountName = try row.optionalText()
        invitedUntil = try row.optionalTime()
    }

    /// Reads `username`, `realm` and `user_name`. A concurrent older version writes only the first,
    /// which contains the others.
    static func name(_ row: inout SQLRow) throws -> (username: String, realm: String) {
        let (both, realm, name) = (
            try row.text(), try row.optionalText(), try row.optionalText()
        )
        guard let realm, let name else { return parts(of: both) }
        return (name, realm)
    }
}
