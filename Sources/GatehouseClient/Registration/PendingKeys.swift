// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keys that are created before their profile: for a page in a browser, or a credential, that may
/// never be completed.
///
/// A record names each key before the key is created. The creator has the lock of the record's slot
/// until the key belongs to a profile. If the process ends before that, its lock is released, and
/// the next process deletes the key and the record.
struct PendingKeys: Sendable {
    private let dependencies: ClientDependencies

    /// The maximum of concurrent ceremonies with a record. Further ones run without.
    private static let slots = 16

    init(_ dependencies: ClientDependencies) { self.dependencies = dependencies }

    private var profiles: ProfileStore { dependencies.profiles }

    private static func name(_ slot: Int) -> RecordName { RecordName("making", "\(slot)") }

    // MARK: Making

    /// Runs an operation that creates a key and saves it in a profile. If it fails before that, the
    /// key is deleted.
    ///
    /// - Parameter verifier: The verifier that has the key; `nil` for one of the key store.
    func whileMaking<Value: Sendable>(
        _ key: RecordName, with verifier: (any UserVerifier)? = nil,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        await sweep()
        let record = PendingKey(key: key, kind: verifier?.authenticator.kind)
        for slot in 0..<Self.slots {
            let name = Self.name(slot)
            let made: Value?? = try await profiles.store.withLockIfFree(name) {
                // What another has left here could not be cleared: it is not written over.
                guard try await self.profiles.store.read(name) == nil else { return nil }
                try await self.profiles.store.write(record.json, to: name)
                let value = try await self.removingOnFailure(record, in: name, body)
                // It is in a profile; at worst that is found out once more.
                try? await self.profiles.store.remove(name)
                return value
            }
            if let made, let made { return made }
        }
        return try await removingOnFailure(record, in: nil, body)
    }

    private func removingOnFailure<Value: Sendable>(
        _ record: PendingKey, in slot: RecordName?, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch {
            // A key that cannot be removed now stays written down.
            let isSettled = (try? await removeUnlessUsed(record)) != nil
            if let slot, isSettled { try? await profiles.store.remove(slot) }
            throw error
        }
    }

    // MARK: Clearing

    /// Removes what those have left who died: keys that belong to no profile, and registrations of
    /// which nothing was sent. What cannot be removed now is left to the next time.
    func sweep() async {
        let names = (try? await profiles.store.names()) ?? []
        for name in (0..<Self.slots).map(Self.name) where names.contains(name) {
            _ = try? await profiles.store.withLockIfFree(name) { try await self.clear(name) }
        }
        for name in names {
            guard let id = PendingRecord.id(name) else { continue }
            _ = try? await profiles.store.withLockIfFree(PendingRecord.lock(id)) {
                try await self.clear(unsent: name)
            }
        }
    }

    private func clear(_ slot: RecordName) async throws {
        let bytes: [UInt8]?
        do { bytes = try await profiles.store.read(slot) } catch let error as StoreError
            where error.isDamage
        { bytes = [] }
        guard let bytes else { return }
        if let record = PendingKey(json: bytes) { try await removeUnlessUsed(record) }
        try await profiles.store.remove(slot)
    }

    /// Deletes the keys of the key store that no record names, such as those of a damaged profile.
    /// Deletes none if a profile cannot be read or a key is being created.
    func removeOrphans() async {
        // What is made from here on is not among them; and a key goes from its slot into a profile.
        guard let keys = try? await profiles.keys.keyNames(), await isNobodyMaking(),
            let pending = try? await pendingKeys(), let named = try? await profiles.namedKeys()
        else { return }
        for key in keys where !named.contains(key) && !pending.contains(key) {
            try? await profiles.keys.removeKey(key)
        }
    }

    private func isNobodyMaking() async -> Bool {
        for name in (0..<Self.slots).map(Self.name) {
            let isFree = try? await profiles.store.withLockIfFree(name) {
                try await self.clear(name)
                return true
            }
            guard isFree == true else { return false }
        }
        return true
    }

    private func pendingKeys() async throws -> Set<RecordName> {
        var keys: Set<RecordName> = []
        for name in try await profiles.store.names() where PendingRecord.id(name) != nil {
            if let pending = try await PendingRecord.read(name, in: profiles) {
                keys.insert(pending.key)
            }
        }
        return keys
    }

    private func removeUnlessUsed(_ record: PendingKey) async throws {
        guard try await !profiles.isUsed(record.key) else { return }
        guard let kind = record.kind else { return try await profiles.keys.removeKey(record.key) }
        guard let verifier = dependencies.verifier(Authenticator(kind: kind)) else {
            throw StoreError.unavailable("the client was created without \(kind)")
        }
        try await verifier.removeKey(record.key)
    }

    /// Deletes a registration that ended before its first request: its key and its PIN are unused. A
    /// response of a browser is expected for an hour.
    private func clear(unsent name: RecordName) async throws {
        guard let bytes = try await profiles.store.read(name),
            let pending = PendingRecord(json: bytes), !pending.isUncertain,
            pending.browser?.isOpen(at: dependencies.clock.now) != true,
            try await !profiles.isUsed(pending.key)
        else { return }
        try await profiles.keys.removeKey(pending.key)
        try await profiles.store.remove(ProfileStore.pin(pending.profileID))
        try await profiles.store.remove(name)
    }
}

/// A key as it is written down before it is made.
private struct PendingKey: Sendable {
    let key: RecordName
    /// The kind of the authenticator whose verifier has the key; `nil` for one of the key store.
    let kind: String?

    init(key: RecordName, kind: String?) {
        self.key = key
        self.kind = kind
    }

    /// `nil` for what ``json`` has not written.
    init?(json bytes: [UInt8]) {
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: 4096),
            let key = object["key"]?.string.flatMap({ RecordName(rawValue: $0) })
        else { return nil }
        self.init(key: key, kind: object["authenticator"]?.string)
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.member("key", key.rawValue)
        writer.member("authenticator", ifPresent: kind)
        return writer.finish()
    }
}
