// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Primitives
import ProviderCore
import Storage

/// A person's stored password.
package struct PasswordCredential: Sendable {
    let credential: Credential

    /// The Argon2id hash, a PHC string.
    var phc: String { String(decoding: credential.publicPart, as: UTF8.self) }

    var details: PasswordDetails { PasswordDetails(credential.details) }

    /// Whether a password is the first password, which an administrator knows.
    func isFirst(_ password: Password, in context: CeremonyContext) async throws -> Bool {
        guard details.mustChange else { return false }
        return try await context.provider.passwords.verify(password, against: phc)
    }

    static func of(
        _ person: Identifier<Person>?, in context: CeremonyContext
    ) async throws -> PasswordCredential? {
        guard let person else { return nil }
        // The external ID of a password is the ID of the person.
        return try await context.store.credentials.credential(
            externalID: person.bytes, kind: .password, in: context.project
        ).map(PasswordCredential.init)
    }

    /// Hashes the password for storage, which takes a while.
    static func make(
        _ password: Password, for person: Identifier<Person>, in context: CeremonyContext,
        details: PasswordDetails = PasswordDetails()
    ) async throws(PasswordHashingError) -> Credential {
        let phc = try await context.provider.passwords.hash(password)
        return Credential(
            id: context.newIdentifier(), project: context.project, person: person,
            kind: .password, externalID: person.bytes, publicPart: Array(phc.utf8),
            details: details.json, createdAt: context.now)
    }

    /// Rehashes a verified password if the stored hash has outdated parameters. A failure or a
    /// concurrent change is ignored: the next sign-in tries again.
    func renew(_ password: Password, in context: CeremonyContext) async throws {
        let hasher = context.provider.passwords
        guard hasher.needsRehash(phc), let fresh = try? await hasher.hash(password) else { return }
        _ = try await context.store.credentials.renewPasswordHash(
            of: credential.id, from: credential.publicPart, to: Array(fresh.utf8))
    }

    /// Marks the password as used.
    func noteUse(in context: CeremonyContext) async throws {
        try await context.store.credentials.noteUse(of: credential.id, now: context.now)
    }
}
