// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

// Puts whole records, as a test has them, over what is there: nothing else may do that.

extension PersonStore {
    package func update(_ person: Person, now: Timestamp) async throws -> Bool {
        try await change(person: person.id, now: now, overwriting(by: person)).isKept
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
