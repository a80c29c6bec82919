// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let installationAdd =
    Installation.columns.insert(into: "installations") + " ON CONFLICT DO NOTHING"
private let registrationByID = """
    SELECT \(Installation.columns.of("i")), \(Person.columns.of("p"))
    FROM installations i JOIN people p ON p.id = i.person_id
    WHERE i.project_id = $1 AND i.registration_id = $2
    """
/// Locks the person, so that a concurrent disabling waits and then finds the installation.
private let personStanding =
    "SELECT id FROM people WHERE id = $1 AND project_id = $2 AND disabled = 0"
private let personSpokenOf = """
    UPDATE people SET attributes = $3 WHERE id = $1 AND project_id = $2 AND disabled = 0
    RETURNING id
    """
private let credentialTaken = """
    SELECT id FROM credentials WHERE project_id = $1 AND kind = $2 AND external_id = $3
    """

extension SQLInstallations {
    /// Registers with inserts only. The reason of a refusal is read afterwards: a competing
    /// transaction has committed by then, so the reason is stable.
    func register(
        _ registration: NewRegistration, recording event: AuditEvent
    ) async throws -> InstallationRegistrationOutcome {
        do {
            try await insert(registration, event)
            return .registered
        } catch let taken as RegistrationTaken {
            return try await explain(registration, taken)
        }
    }

    private func insert(_ new: NewRegistration, _ event: AuditEvent) async throws {
        let standing = personStanding + dialect.forShare
        try await engine.write { connection in
            func insert(
                _ statement: String, _ values: [SQLValue],
                else taken: InstallationRegistrationOutcome
            ) throws {
                let made = try connection.change(statement, arguments: values)
                if made == 0 { throw RegistrationTaken(outcome: taken) }
            }
            for use in new.uses {
                try insert(markAdd, use.values, else: .used(use.mark.kind))
            }
            if new.isOfKnownPerson {
                let known = [new.person.id.sqlValue, new.person.project.sqlValue]
                let held =
                    try new.attributes.map {
                        try connection.change(
                            returning: personSpokenOf, arguments: known + [$0.sqlValue])
                    } ?? connection.query(standing, arguments: known)
                if held.isEmpty { throw RegistrationTaken(outcome: .personGone) }
            } else {
                guard try connection.add(new.person) else {
                    throw RegistrationTaken(outcome: .usernameTaken)
                }
            }
            // After the person, as a disabling locks them.
            if let grant = new.consumedGrant {
                let now = new.installation.createdAt
                try insert(
                    grantConsume, [grant.sqlValue, now.sqlValue, now.revokedRowsEnd.sqlValue],
                    else: .grantNotActive)
            }
            for credential in new.credentials {
                try insert(
                    credentialAdd, credential.values, else: .credentialTaken(credential.kind))
            }
            try insert(installationAdd, new.installation.values, else: .registrationTaken)
            if let pin = new.pin {
                try insert(pinAdd, pin.values, else: .credentialTaken(.signInKey))
            }
            // Last, so that other registrations wait as short as possible for the budgets' rows.
            if let end = try connection.count(in: new.budgets, window: new.window, event.at) {
                throw RegistrationTaken(outcome: .limited(until: end))
            }
            _ = try connection.change(auditInsert, arguments: event.values)
        }
    }

    /// Returns the first reason that applies: a repeated request has precedence.
    private func explain(
        _ new: NewRegistration, _ taken: RegistrationTaken
    ) async throws -> InstallationRegistrationOutcome {
        try await engine.read { connection in
            let earlier = try connection.query(
                registrationByID, new.installation.project, new.installation.registrationID
            ).firstRecord { (try Installation(&$0), try Person(&$0)) }
            if let (installation, person) = earlier {
                return installation.binding == new.installation.binding
                    && installation.method == new.installation.method
                    ? .repeated(installation, person) : .registrationTaken
            }
            for credential in new.credentials {
                let found = try connection.query(
                    credentialTaken, credential.project, credential.kind.rawValue,
                    credential.externalID)
                if !found.isEmpty { return .credentialTaken(credential.kind) }
            }
            return taken.outcome
        }
    }
}

/// Rolls back a registration that is not possible.
private struct RegistrationTaken: Error {
    let outcome: InstallationRegistrationOutcome
}

extension OneTimeUse {
    var values: [SQLValue] { [mark.kind.rawValue.sqlValue, mark.key.sqlValue, expiresAt.sqlValue] }
}
