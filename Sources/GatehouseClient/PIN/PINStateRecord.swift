// SPDX-License-Identifier: Apache-2.0
import PIN

/// The stored state of one profile's PIN.
struct PINStateRecord: Sendable {
    let store: any SecureStore
    let profileID: Profile.ID
    /// See ``ProfileStore/patience``.
    let patience: Duration

    private var name: RecordName { ProfileStore.pin(profileID) }

    /// Runs an operation that reads the state, sends a request that depends on it, and writes it,
    /// excluding other processes with this store. Otherwise two that offer a secret would overwrite
    /// each other's, and one of them is active at the provider.
    func alone<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await store.withLock(
            ProfileStore.pinLock(profileID), waiting: patience, body)
    }

    func load() async throws -> PINDeviceState {
        guard let bytes = try await store.read(name) else {
            throw IdentityError(
                .authentication, .pinNotSet, "the profile has no PIN on this device")
        }
        guard let state = PINDeviceState(json: bytes) else {
            throw StoreError.damaged("the profile's PIN secret cannot be read")
        }
        return state
    }

    func save(_ state: PINDeviceState) async throws {
        try await store.write(state.json, to: name)
    }

    func isThere() async throws -> Bool { try await store.read(name) != nil }

    func remove() async throws { try await store.remove(name) }
}
