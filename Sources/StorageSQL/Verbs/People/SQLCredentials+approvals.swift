// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let awaitingSelect = """
    SELECT \(Credential.columns.list) FROM credentials
    WHERE awaits_approval = 1 AND id > $1 AND EXISTS
    (SELECT 1 FROM administrators a WHERE a.person_id = credentials.person_id)
    ORDER BY id LIMIT 1000
    """
private let waiting = "SELECT id FROM credentials WHERE person_id = $1 AND awaits_approval = 1"
private let givingApproval = """
    UPDATE credentials SET awaits_approval = 0
    WHERE id = $1 AND person_id = $2 AND awaits_approval = 1
    """
private let startingToWait = """
    UPDATE credentials SET awaits_approval = 1
    WHERE person_id = $1 AND kind <> 'public_key' AND awaits_approval = 0
    """
private let roleOfPerson = "SELECT id FROM administrators WHERE person_id = $1 LIMIT 1"
let credentialDelete = """
    DELETE FROM credentials WHERE id = $1 AND person_id = $2
    RETURNING \(Credential.columns.list)
    """

extension SQLCredentials {
    func credentialsAwaitingApproval() async throws -> [Credential] {
        try await all(Credential.init, awaitingSelect, [UInt8]())
    }

    func approveCredentials(
        _ shown: Set<Identifier<Credential>>, of person: Identifier<Person>
    ) async throws -> Bool {
        let dialect = dialect
        return try await engine.write { connection in
            // A concurrent removal is applied before, or awaits this transaction.
            try connection.hold(person, dialect)
            let found: [Identifier<Credential>] = try connection.query(waiting, person).map {
                var row = $0
                return try row.identifier()
            }
            guard !shown.isEmpty, Set(found) == shown else { return false }
            // One by one: a concurrently added credential was not displayed.
            for credential in found {
                _ = try connection.change(givingApproval, credential, person)
            }
            return true
        }
    }
}

extension SQLConnection {
    /// Deletes a credential of a person whose row is locked. Marks the others as awaiting approval
    /// if ``CredentialStore/remove(credential:of:othersWait:)`` requires it.
    func remove(
        _ credential: Identifier<Credential>, of person: Identifier<Person>,
        _ othersWait: ([Credential]) -> Bool
    ) throws -> RemoveCredentialOutcome {
        let isAdministrator = try first(roleOfPerson, person) != nil
        let before =
            try isAdministrator
            ? query(credentialsOfPerson, person).records(Credential.init) : []
        let removed = try change(returning: credentialDelete, credential, person).firstRecord(
            Credential.init)
        guard let removed else { return .unknown }
        if isAdministrator, removed.kind == .publicKey, othersWait(before) {
            _ = try change(startingToWait, person)
        }
        return .removed(removed)
    }
}
