// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

// Saves a record that a document describes. It inserts a new record, or replaces the one that was
// read and for which rights and conditions were checked. Returns `false` if that one was changed
// since.

extension ProjectStore {
    func put(_ new: Project, over old: Project?) async throws -> Bool {
        guard let old else { return try await add(new) }
        return try await change(project: old.id, ChangedMeanwhile.unless(old, becomes: new)).isKept
    }
}

extension ClientStore {
    func put(_ new: Client, over old: Client?, now: Timestamp) async throws -> Bool {
        guard let old else { return try await add(new) }
        let edit = ChangedMeanwhile.unless(old, becomes: new)
        return try await change(client: old.id, now: now, edit).isKept
    }
}

extension IssuerKeyStore {
    func put(_ new: IssuerKey, over old: IssuerKey?) async throws -> Bool {
        guard let old else { return try await add(new) }
        let edit = ChangedMeanwhile.unless(old, becomes: new)
        return try await change(issuerKey: old.id, edit).isKept
    }
}

extension UpstreamProviderStore {
    func put(
        _ new: UpstreamProvider, over old: UpstreamProvider?, now: Timestamp
    ) async throws -> Bool {
        guard let old else { return try await add(new) }
        let edit = ChangedMeanwhile.unless(old, becomes: new)
        return try await change(upstreamProvider: old.id, now: now, edit).isKept
    }
}

extension EntitlementStore {
    func put(_ new: EntitlementSet, over old: EntitlementSet?) async throws -> Bool {
        guard let old else { return try await add(new) == .added }
        return try await save(new, over: old.entitlements) == .added
    }

    func put(_ new: EntitlementSequence, over old: EntitlementSequence?) async throws -> Bool {
        guard let old else { return try await add(new) == .added }
        return try await save(new, over: old.steps) == .added
    }
}
