// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let personInvite = """
    UPDATE people SET invited_until = $2 WHERE id = $1 AND disabled = 0
    AND NOT EXISTS (SELECT 1 FROM credentials c WHERE c.person_id = $1)
    AND NOT EXISTS (SELECT 1 FROM installations i WHERE i.person_id = $1)
    """
private let invitationEnd = """
    UPDATE people SET invited_until = NULL
    WHERE id = $1 AND project_id = $2 AND invited_until IS NOT NULL
    """
private let invitationOver = """
    UPDATE people SET invited_until = NULL WHERE id = $1 AND invited_until IS NOT NULL
    """
private let invitationDelete = """
    DELETE FROM challenges WHERE project_id = $1 AND purpose = 'invitation' AND hash = $2
    """
private let personInvited = """
    SELECT \(Person.columns.list) FROM people WHERE id = $1 AND project_id = $2 AND disabled = 0
    """
/// An app may have no key.
private let wayInOf = """
    SELECT id FROM credentials WHERE person_id = $1
    UNION ALL SELECT id FROM installations WHERE person_id = $1 LIMIT 1
    """
private let addressOfAnother = """
    SELECT id FROM people WHERE project_id = $1 AND verified_email = $2 AND id <> $3 LIMIT 1
    """

extension SQLOneTimeLinks {
    func invite(
        _ person: Identifier<Person>, by link: Challenge
    ) async throws -> Bool {
        try await engine.write { connection in
            let values = [person.sqlValue, link.expiresAt.sqlValue]
            guard try connection.change(personInvite, arguments: values) > 0 else { return false }
            _ = try connection.change(challengeIssue, arguments: link.values)
            return true
        }
    }

    func withdrawInvitation(
        of person: Identifier<Person>, hash: [UInt8], in project: Identifier<Project>
    ) async throws -> Bool {
        let dialect = dialect
        return try await engine.write { connection in
            // Of a concurrent invitation and withdrawal, the second sees the first, including the
            // link.
            try connection.hold(person, dialect)
            let values = [person.sqlValue, project.sqlValue]
            _ = try connection.change(invitationDelete, project, hash)
            return try connection.change(invitationEnd, arguments: values) > 0
        }
    }

    func accept(
        _ link: Challenge, with credential: Credential, confirming address: String?,
        now: Timestamp
    ) async throws -> LinkRedemptionOutcome {
        let held = personInvited + dialect.forChange
        return try await spending(link, now) { connection in
            let found = try connection.query(held, credential.person, credential.project)
            guard let person = try found.firstRecord(Person.init), person.invitedUntil != nil,
                try connection.query(wayInOf, person.id).isEmpty
            else { throw LinkRedemptionOutcome.linkGone }
            try connection.add(credential)
            try connection.update(connection.confirming(address, of: person, at: now))
            try connection.endInvitation(of: person.id)
        }
    }
}

extension SQLConnection {
    /// Completes the invitation of a person, who has a credential now.
    func endInvitation(of person: Identifier<Person>) throws {
        _ = try change(invitationOver, person)
    }

    /// Returns the person with that address verified, if no other person has verified it.
    fileprivate func confirming(
        _ address: String?, of person: Person, at now: Timestamp
    ) throws -> Person {
        guard let address, person.claims.email == address, person.claims.emailVerified != true,
            try query(addressOfAnother, person.project, address, person.id).isEmpty
        else { return person }
        var confirmed = person
        confirmed.claims.emailVerified = true
        confirmed.claims.updatedAt = now.seconds
        return confirmed
    }
}
