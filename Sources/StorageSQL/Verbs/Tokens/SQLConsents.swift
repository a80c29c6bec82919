// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let consentSelect = "SELECT \(Consent.columns.list) FROM consents"
private let consentByPair = "\(consentSelect) WHERE person_id = $1 AND client_id = $2"
private let consentsOfPerson = """
    SELECT \(Consent.columns.of("c")), \(Client.columns.of("r"))
    FROM consents c JOIN clients r ON r.id = c.client_id
    WHERE c.person_id = $1 ORDER BY c.given_at DESC, c.client_id LIMIT 1000
    """
private let consentInsert =
    Consent.columns.insert(into: "consents") + " ON CONFLICT DO NOTHING RETURNING person_id"
private let consentUpdate = RecordUpdate<Consent>(
    "consents", key: "person_id client_id", except: "project_id")
private let consentDelete = """
    DELETE FROM consents WHERE person_id = $1 AND client_id = $2 RETURNING person_id
    """

/// The consents of people.
struct SQLConsents: ConsentStore, SQLCapability {
    let database: SQLDatabase

    func consent(
        of person: Identifier<Person>, for client: Identifier<Client>
    ) async throws -> Consent? {
        try await one(Consent.init, consentByPair, person, client)
    }

    func consents(of person: Identifier<Person>) async throws -> [(Consent, Client)] {
        try await all({ (try Consent(&$0), try Client(&$0)) }, consentsOfPerson, person)
    }

    func save(_ consent: Consent) async throws {
        let held = consentByPair + dialect.forUpdate
        try await engine.write { connection in
            let added = try connection.change(returning: consentInsert, arguments: consent.values)
            guard added.isEmpty else { return }
            let old = try connection.query(held, consent.person, consent.client)
                .firstRecord(Consent.init)
            var merged = consent
            merged.scope = Self.union(old?.scope ?? "", consent.scope)
            try consentUpdate.run(merged, on: connection)
        }
    }

    func withdraw(
        person: Identifier<Person>, client: Identifier<Client>, now: Timestamp
    ) async throws -> Bool {
        try await engine.write { connection in
            _ = try connection.change(
                grantsRevokeOfPair, person, client, now, now.revokedRowsEnd)
            return try !connection.change(returning: consentDelete, person, client).isEmpty
        }
    }

    /// Returns the values of both scopes without duplicates, in their order.
    private static func union(_ old: String, _ new: String) -> String {
        var seen: Set<Substring> = []
        return (old.split(separator: " ") + new.split(separator: " "))
            .filter { seen.insert($0).inserted }
            .joined(separator: " ")
    }
}
