// SPDX-License-Identifier: Apache-2.0
import Primitives
import UserClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The stored record of one registration in a browser.
struct PendingRegistrationStore: Sendable {
    let id: UUID
    let dependencies: ClientDependencies

    private var profiles: ProfileStore { dependencies.profiles }
    private var name: RecordName { PendingRecord.name(id) }
    private var now: Timestamp { dependencies.clock.now }

    static var expired: IdentityError {
        IdentityError(
            .registration, .expired, "the registration is not pending: start a new one")
    }

    /// Returns the record; `nil` if there is none at this provider.
    func read() async throws -> PendingRecord? {
        guard let pending = try await PendingRecord.read(name, in: profiles),
            pending.isAt(profiles.issuer)
        else { return nil }
        return pending
    }

    /// Whether a profile is from this registration.
    func isRegistered() async throws -> Bool {
        guard try await profiles.store.read(name) == nil else { return false }
        return try await profiles.all().contains {
            $0.registrationID == id.uuidString.lowercased()
        }
    }

    func write(_ pending: PendingRecord) async throws {
        try await profiles.store.write(pending.json, to: name)
    }

    /// Returns the record of an earlier attempt, or stores a new one. The key is created after it,
    /// so that an interruption leaves no key without a record.
    func begin(scopes: [String]?, parameters: [String: String]) async throws -> PendingRecord {
        await PendingKeys(dependencies).sweep()
        return try await profiles.store.withLock(PendingRecord.lock(id)) {
            let browser = BrowserTransaction(
                secrets: .init(random: dependencies.random), startedAt: now, scopes: scopes,
                parameters: parameters)
            let method = RegistrationMethod.oidc.rawValue
            var pending =
                try await read()
                ?? PendingRecord(
                    issuer: profiles.issuer, method: method,
                    key: RecordName("key", profiles.newName()))
            guard pending.method == method else {
                throw IdentityError(
                    .registration, .registrationIDTaken,
                    "that idempotency key belongs to a registration by \(pending.method)")
            }
            if pending.browser?.isProven(at: now) != true { pending.browser = browser }
            try await write(pending)
            return pending
        }
    }

    /// Prepares another sign-in with the same identifier and, if it exists, the same key.
    func restart(_ earlier: PendingRecord) async throws -> PendingRecord {
        try await profiles.store.withLock(PendingRecord.lock(id)) {
            var pending = try await read() ?? earlier
            pending.isUncertain = false
            pending.browser?.restart(.init(random: dependencies.random), at: now)
            try await write(pending)
            return pending
        }
    }

    /// Returns the key of the record, which is created if nothing was sent with it.
    func key(of pending: PendingRecord) async throws -> any StoredKey {
        if let key = try await profiles.keys.key(pending.key) { return key }
        guard !pending.isUncertain, pending.browser?.token == nil else {
            throw StoreError.damaged("the key of the registration is missing")
        }
        return try await profiles.keys.makeKey(pending.key)
    }

    /// Deletes record and key after the person or the provider ended the registration. A record
    /// from which it can be resumed is kept. Runs also in a cancelled task, which could not wait for
    /// the lock.
    func abandon(after error: any Error) async {
        guard !error.isAboutTheWay else { return }
        let work = Task {
            try await profiles.store.withLock(PendingRecord.lock(id)) {
                // Another task may have received the response.
                guard let pending = try await read(), !pending.isUncertain,
                    pending.browser?.token == nil
                else { return }
                try await profiles.store.remove(name)
                await profiles.discard(pending.key)
            }
        }
        _ = await work.result
    }

    /// Returns the identifier of the registration that expects a response with this `state`.
    static func registration(
        expecting state: String, in dependencies: ClientDependencies
    ) async throws -> UUID? {
        let profiles = dependencies.profiles
        for name in try await profiles.store.names() {
            guard let id = PendingRecord.id(name),
                let pending = try? await PendingRecord.read(name, in: profiles),
                pending.isAt(profiles.issuer), let browser = pending.browser,
                browser.isOpen(at: dependencies.clock.now),
                ConstantTime.equal(Array(browser.secrets.state.utf8), Array(state.utf8))
            else { continue }
            return id
        }
        return nil
    }
}
