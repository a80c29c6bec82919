// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let installationHeld = "SELECT id FROM installations WHERE id = $1 AND person_id = $2"
private let authenticatorDelete = """
    DELETE FROM credentials WHERE id = $1 AND installation_id = $2 RETURNING id
    """
/// Deletes the authenticators of an installation.
let authenticatorsDelete = "DELETE FROM credentials WHERE installation_id = $1"

extension SQLInstallations {
    func add(
        authenticator credential: Credential, using use: OneTimeUse, recording event: AuditEvent
    ) async throws -> AddAuthenticatorOutcome {
        guard let installation = credential.installation else { return .notStanding }
        let held = installationHeld + dialect.forUpdate
        do {
            return try await engine.write { connection in
                // A concurrent deletion of the installation waits for this transaction, and then
                // deletes this authenticator as well.
                if try connection.first(held, installation, credential.person) == nil {
                    throw AuthenticatorRefused(outcome: .notStanding)
                }
                if try connection.change(markAdd, arguments: use.values) == 0 {
                    throw AuthenticatorRefused(outcome: .used)
                }
                if try connection.change(credentialAdd, arguments: credential.values) == 0 {
                    throw AuthenticatorRefused(outcome: .taken)
                }
                _ = try connection.change(auditInsert, arguments: event.values)
                return .added
            }
        } catch let refused as AuthenticatorRefused {
            return refused.outcome
        }
    }

    func remove(
        authenticator id: Identifier<Credential>, of installation: Identifier<Installation>,
        recording event: AuditEvent
    ) async throws -> Bool {
        try await engine.write { connection in
            guard try !connection.change(returning: authenticatorDelete, id, installation).isEmpty
            else {
                return false
            }
            _ = try connection.change(auditInsert, arguments: event.values)
            return true
        }
    }
}

/// Rolls back an authenticator that cannot be added.
private struct AuthenticatorRefused: Error {
    let outcome: AddAuthenticatorOutcome
}
