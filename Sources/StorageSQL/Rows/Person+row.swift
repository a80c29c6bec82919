// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedClaims = ClaimsText()

extension Person: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Person(id: .zero, project: .zero, username: "", createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        var name = StoredName(of: self)
        try name.columns(&column)
        (username, realm) = name.parts
        try column("claims", &claims, as: storedClaims)
        try column("disabled", &disabled)
        try column("created_at", &createdAt)
        try column("origin", &origin)
        try column("attributes", &attributes)
        try column("entitlement_set", &entitlementSet)
        var shown: String? = shownName
        try column("shown_name", &shown)
        // The row was inserted by a concurrent older version; the next start assigns the name.
        shownName = shown ?? (realm.isEmpty ? username : id.description)
        try column("account_name", &accountName)
        try column("invited_until", &invitedUntil)
    }

    /// The address by which the person is found for account recovery.
    var verifiedEmail: String? {
        claims.emailVerified == true ? claims.email?.lowercased() : nil
    }
}

/// A username and its realm, in three columns. A concurrent older version writes only the first,
/// which contains the others.
struct StoredName {
    private var qualified = ""
    private var realm: String?
    private var username: String?

    init() {}

    init(of person: Person) {
        (qualified, realm, username) = (person.qualifiedName, person.realm, person.username)
    }

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("username", &qualified)
        try column("realm", &realm)
        try column("user_name", &username)
    }

    var parts: (username: String, realm: String) {
        guard let realm, let username else { return Person.parts(of: qualified) }
        return (username, realm)
    }
}

/// Claims as JSON. Empty claims, as most people from app registrations have, are written without an
/// encoder.
private struct ClaimsText: ColumnForm {
    private let stored = StoredJSON<PersonClaims>()
    private let none = PersonClaims()

    func read(_ row: inout SQLRow) throws -> PersonClaims { try stored.read(&row) }

    func sqlValue(_ claims: PersonClaims) throws -> SQLValue {
        claims == none ? .text("{}") : try stored.sqlValue(claims)
    }
}
