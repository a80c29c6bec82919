// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

// Puts whole records, as a test has them, over what is there: nothing else may do that.

extension PersonStore {
    package func update(_ person: Person, now: Timestamp) async throws -> Bool {
        try await change(person: person.id, now: now, overwriting(by: person)).isKept
    }

    package func create(
        _ person: Person, with credentials: [Credential], using use: OneTimeUse
    ) async throws -> CreateOutcome {
        try await create(person, with: credentials, using: use, nameMayBeHeld: true)
    }

    /// Removes a person, and releases their names.
    package func remove(person id: Identifier<Person>) async throws {
        guard let gone = try await person(id) else { return }
        try await remove(person: id, now: gone.createdAt)
        let names = [gone.username, gone.shownName, gone.accountName].compactMap(\.self)
        for name in Set(names) {
            _ = try await release(name: name, of: gone.project, now: gone.createdAt)
        }
    }
}

extension EntitlementStore {
    package func setEntitlements(
        of person: Identifier<Person>, set: String, explicit: String
    ) async throws -> Bool {
        try await setEntitlements(
            of: person, to: GivenEntitlements(set: set, explicit: explicit), over: nil,
            now: Timestamp(seconds: 0)) == .assigned
    }

    package func setEntitlements(
        of person: Identifier<Person>, sequence: String, explicit: String, now: Timestamp
    ) async throws -> Bool {
        try await setEntitlements(
            of: person, to: GivenEntitlements(sequence: sequence, explicit: explicit), over: nil,
            now: now) == .assigned
    }
}

extension CredentialStore {
    /// Removes a credential, and lets no other wait.
    package func remove(
        credential: Identifier<Credential>, of person: Identifier<Person>
    ) async throws -> RemoveCredentialOutcome {
        try await remove(credential: credential, of: person) { _ in false }
    }

    /// Removes a lost key, and lets nothing wait.
    package func revokeLost(
        credential: Identifier<Credential>, of person: Identifier<Person>,
        keeping kept: Identifier<Session>?, leavingNone: Bool, now: Timestamp
    ) async throws -> RemoveCredentialOutcome {
        try await revokeLost(
            credential: credential, of: person, keeping: kept, leavingNone: leavingNone,
            othersWait: { _ in false }, now: now)
    }
}

extension ClientStore {
    package func save(_ client: Client, now: Timestamp) async throws -> Bool {
        if try await add(client) { return true }
        return try await change(client: client.id, now: now, overwriting(by: client)).isKept
    }
}

extension ProjectStore {
    package func save(_ project: Project) async throws -> Bool {
        if try await add(project) { return true }
        return try await change(project: project.id, overwriting(by: project)).isKept
    }
}

extension UpstreamProviderStore {
    package func save(_ provider: UpstreamProvider, now: Timestamp) async throws -> Bool {
        if try await add(provider) { return true }
        let edit = overwriting(by: provider)
        return try await change(upstreamProvider: provider.id, now: now, edit).isKept
    }
}

extension IssuerKeyStore {
    package func save(_ key: IssuerKey) async throws -> Bool {
        if try await add(key) { return true }
        return try await change(issuerKey: key.id, overwriting(by: key)).isKept
    }
}

extension GrantStore {
    /// Whatever else is open.
    package func save(_ authorization: DeviceAuthorization) async throws {
        _ = try await save(
            authorization, within: OpenAuthorizations(ofClient: .max, ofProject: .max),
            now: authorization.expiresAt)
    }
}

private func overwriting<Record: Sendable>(
    by record: Record
) -> @Sendable (inout Record) -> Never? { always { $0 = record } }

/// An edit that never refuses.
package func always<Record>(
    _ edit: @escaping @Sendable (inout Record) -> Void
) -> @Sendable (inout Record) -> Never? {
    {
        edit(&$0)
        return nil
    }
}
