// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keys that are made before anybody knows what they will be for: for a page in a browser, or a
/// credential, that may never be answered.
///
/// Each is written down before it is made, in a slot whose lock its maker holds until the key
/// belongs to a profile. The lock of an app that dies is free again, and whoever comes next finds
/// the slot, removes the key and clears it.
struct PendingKeys: Sendable {
    private let system: ClientDependencies

    /// How many ceremonies at once; what comes on top of that goes without.
    private static let slots = 16

    init(_ system: ClientDependencies) { self.system = system }

    private var book: ProfileStore { system.book }

    private static func name(_ slot: Int) -> RecordName { RecordName("making", "\(slot)") }

    // MARK: Making

    /// Runs what makes the key of that name and puts it into a profile. When it fails before that,
    /// the key is removed.
    ///
    /// - Parameter verifier: Whose key it is; `nil` for one of the key store.
    func whileMaking<Value: Sendable>(
        _ key: RecordName, with verifier: (any UserVerifier)? = nil,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        await sweep()
        let record = UnfinishedKey(key: key, kind: verifier?.authenticator.kind)
        for slot in 0..<Self.slots {
            let name = Self.name(slot)
            let made: Value?? = try await book.store.withLockIfFree(name) {
                // What another has left here could not be cleared: it is not written over.
                guard try await self.book.store.read(name) == nil else { return nil }
                try await self.book.store.write(record.json, to: name)
                let value = try await self.removingOnFailure(record, in: name, body)
                // It is in a profile; at worst that is found out once more.
                try? await self.book.store.remove(name)
                return value
            }
            if let made, let made { return made }
        }
        return try await removingOnFailure(record, in: nil, body)
    }

    private func removingOnFailure<Value: Sendable>(
        _ record: UnfinishedKey, in slot: RecordName?, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch {
            // A key that cannot be removed now stays written down.
            let isSettled = (try? await removeUnlessUsed(record)) != nil
            if let slot, isSettled { try? await book.store.remove(slot) }
            throw error
        }
    }

    // MARK: Clearing

    /// Removes what those have left who died: keys that belong to no profile, and registrations of
    /// which nothing was sent. What cannot be removed now is left to the next time.
    func sweep() async {
        let names = (try? await book.store.names()) ?? []
        for name in (0..<Self.slots).map(Self.name) where names.contains(name) {
            _ = try? await book.store.withLockIfFree(name) { try await self.clear(name) }
        }
        for name in names {
            guard let id = PendingRecord.id(name) else { continue }
            _ = try? await book.store.withLockIfFree(PendingRecord.lock(id)) {
                try await self.clear(unsent: name)
            }
        }
    }

    private func clear(_ slot: RecordName) async throws {
        let bytes: [UInt8]?
        do { bytes = try await book.store.read(slot) } catch let error as StoreError
            where error.isDamage
        { bytes = [] }
        guard let bytes else { return }
        if let record = UnfinishedKey(json: bytes) { try await removeUnlessUsed(record) }
        try await book.store.remove(slot)
    }

    /// Removes the keys of the key store that nothing names any more: a damaged profile's. None
    /// where a profile cannot be read, or somebody may be making one at the moment.
    func removeOrphans() async {
        // What is made from here on is not among them; and a key goes from its slot into a profile.
        guard let keys = try? await book.keys.keyNames(), await isNobodyMaking(),
            let pending = try? await pendingKeys(), let named = try? await book.namedKeys()
        else { return }
        for key in keys where !named.contains(key) && !pending.contains(key) {
            try? await book.keys.removeKey(key)
        }
    }

    private func isNobodyMaking() async -> Bool {
        for name in (0..<Self.slots).map(Self.name) {
            let isFree = try? await book.store.withLockIfFree(name) {
                try await self.clear(name)
                return true
            }
            guard isFree == true else { return false }
        }
        return true
    }

    private func pendingKeys() async throws -> Set<RecordName> {
        var keys: Set<RecordName> = []
        for name in try await book.store.names() where PendingRecord.id(name) != nil {
            if let pending = try await PendingRecord.read(name, in: book) {
                keys.insert(pending.key)
            }
        }
        return keys
    }

    private func removeUnlessUsed(_ record: UnfinishedKey) async throws {
        guard try await !book.isUsed(record.key) else { return }
        guard let kind = record.kind else { return try await book.keys.removeKey(record.key) }
        guard let verifier = system.verifier(Authenticator(kind: kind)) else {
            throw StoreError.unavailable("this client was made without \(kind)")
        }
        try await verifier.removeKey(record.key)
    }

    /// A registration that ended before the provider had heard of it: there is nothing to find
    /// again, and its key and PIN are nobody's.
    private func clear(unsent name: RecordName) async throws {
        guard let bytes = try await book.store.read(name),
            let pending = PendingRecord(json: bytes), !pending.isUncertain,
            try await !book.isUsed(pending.key)
        else { return }
        try await book.keys.removeKey(pending.key)
        try await book.store.remove(ProfileStore.pin(pending.profileID))
        try await book.store.remove(name)
    }
}

/// A key as it is written down before it is made.
private struct UnfinishedKey: Sendable {
    let key: RecordName
    /// Of the authenticator whose verifier has it; `nil` for one of the key store.
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
