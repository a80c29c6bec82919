// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The profiles in a store, and what belongs to each: its record, its tokens, its sealed PIN
/// secret and its key.
///
/// A store may hold profiles of several providers, a project's for tests and the real one's: none
/// but those of ``issuer`` are seen here, so that no provider is ever sent what is another's. Those
/// of before that name no provider are seen by all, until one of them has named their person.
struct ProfileStore: Sendable {
    let issuer: String
    let store: any SecureStore
    let keys: any KeyStore
    let random: any RandomSource
    /// The time limit for a profile's lock. It covers a few requests that the holder may send.
    let patience: Duration

    // MARK: Names

    /// The record of the person who signed in last at this provider.
    private var current: RecordName { RecordName("current", ofIssuer: issuer) }
    /// The same record in older stores, which had one for all providers.
    private static let sharedCurrent = RecordName("current")

    static func record(_ id: Profile.ID) -> RecordName { RecordName("profile", id.rawValue) }
    private static let mark = "profile."
    private static func id(ofRecord name: RecordName) -> Profile.ID? {
        guard name.rawValue.hasPrefix(mark) else { return nil }
        return Profile.ID(rawValue: String(name.rawValue.dropFirst(mark.count)))
    }
    static func tokens(_ id: Profile.ID) -> RecordName { RecordName("tokens", id.rawValue) }
    /// A record that reserves disk space for renewed tokens.
    static func room(_ id: Profile.ID) -> RecordName { RecordName("room", id.rawValue) }
    static func pin(_ id: Profile.ID) -> RecordName { RecordName("pin", id.rawValue) }
    static func sessionLock(_ id: Profile.ID) -> RecordName { RecordName("session", id.rawValue) }
    static func pinLock(_ id: Profile.ID) -> RecordName { RecordName("pinstate", id.rawValue) }

    /// Returns ten characters of `a-z` and `0-9` that cannot be confused with each other.
    func newName() -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
        let picked = random.bytes(10).map { letters[Int($0) % letters.count] }
        return String(decoding: picked, as: UTF8.self)
    }

    // MARK: Reading

    /// Returns the readable profiles of this provider.
    func all() async throws -> [StoredProfile] { try await listing().profiles }

    /// Returns the profiles of this provider, and the errors of damaged ones.
    func listing() async throws -> ProfileListing {
        var found = try await listingOfEveryProvider()
        found.profiles.removeAll { !isOfThisProvider($0) }
        return found
    }

    func listingOfEveryProvider() async throws -> ProfileListing {
        var found = ProfileListing()
        for name in try await store.names() {
            guard let id = Self.id(ofRecord: name) else { continue }
            do {
                if let profile = try await read(name) { found.profiles.append(profile) }
            } catch let error as IdentityError where error.profile == id {
                found.damage.append(error)
            }
        }
        found.profiles.sort {
            ($0.registeredAt, $0.id.rawValue) < ($1.registeredAt, $1.id.rawValue)
        }
        found.damage.sort { ($0.profile?.rawValue ?? "") < ($1.profile?.rawValue ?? "") }
        return found
    }

    func profile(_ id: Profile.ID) async throws -> StoredProfile? {
        // The identifier may have come from anywhere.
        guard let name = RecordName(rawValue: "profile.\(id.rawValue)") else { return nil }
        return try await read(name).flatMap { isOfThisProvider($0) ? $0 : nil }
    }

    /// Returns a profile, or that of the person who signed in last.
    ///
    /// - Throws: ``IdentityError/Code/notRegistered`` if it does not exist.
    func existingProfile(_ id: Profile.ID?) async throws -> StoredProfile {
        let found = if let id { try await profile(id) } else { try await currentProfile() }
        guard let found else { throw Self.notRegistered }
        return found
    }

    private static let notRegistered = IdentityError(
        .authentication, .notRegistered, "the profile does not exist on this device")

    private func isOfThisProvider(_ profile: StoredProfile) -> Bool {
        profile.issuer == nil || profile.issuer == issuer
    }

    func profile(ofUser userID: String) async throws -> StoredProfile? {
        try await all().first { $0.userID == userID }
    }

    /// Returns the profile of the person who signed in last. If its record is damaged, another
    /// profile is not used instead.
    func currentProfile() async throws -> StoredProfile? {
        for name in [current, Self.sharedCurrent] {
            do {
                guard let bytes = try await store.read(name) else { continue }
                let id = Profile.ID(rawValue: String(decoding: bytes, as: UTF8.self))
                if let profile = try await profile(id) { return profile }
            } catch StoreError.damaged(let text) { return try await onlyProfile(text) }
        }
        let found = try await listing()
        if found.profiles.isEmpty, let damage = found.damage.first { throw damage }
        return found.profiles.last
    }

    /// Returns the only profile. Used if the record of the person who signed in last is damaged.
    private func onlyProfile(_ damage: String) async throws -> StoredProfile? {
        let found = try await listing()
        guard found.profiles.count + found.damage.count > 1 else {
            if let damage = found.damage.first { throw damage }
            return found.profiles.first
        }
        throw StoreError.damaged(
            "the record of the last sign-in cannot be read: pass a profile (\(damage))")
    }

    /// - Throws: An error that names the profile when its record is damaged.
    private func read(_ name: RecordName) async throws -> StoredProfile? {
        do {
            guard let bytes = try await store.read(name) else { return nil }
            guard let profile = StoredProfile(json: bytes), Self.record(profile.id) == name else {
                throw StoreError.damaged("\(name) is not a profile")
            }
            return profile
        } catch let error as StoreError where error.isDamage {
            guard let id = Self.id(ofRecord: name) else { throw error }
            throw IdentityError(
                .generic, .storageDamaged,
                "the profile \(id.rawValue) cannot be read; remove(_:) removes it: \(error)",
                underlying: error, profile: id)
        }
    }

    // MARK: Writing

    func save(_ profile: StoredProfile) async throws {
        try await store.write(profile.json, to: Self.record(profile.id))
    }

    /// Changes the stored record of a profile, and returns the result.
    @discardableResult
    func update(
        _ id: Profile.ID, _ change: @escaping @Sendable (inout StoredProfile) throws -> Void
    ) async throws -> StoredProfile {
        try await inSession(of: id) {
            guard var stored = try await profile(id) else { throw Self.notRegistered }
            try change(&stored)
            try await save(stored)
            return stored
        }
    }

    /// This provider has named the profile's person: it is seen by no other any more. For who holds
    /// its session lock.
    func claim(_ id: Profile.ID) async throws {
        guard var profile = try await profile(id), profile.issuer == nil else { return }
        profile.issuer = issuer
        try await save(profile)
    }

    func makeCurrent(_ id: Profile.ID) async throws {
        try await store.write(Array(id.rawValue.utf8), to: current)
    }

    /// Removes everything of the profile; its own record at last, so that what is cut short can be
    /// done again.
    func wipe(_ profile: StoredProfile) async throws {
        try await removeRecords(of: profile.id) {
            // A registration that has ended since has given it other keys.
            let now = try? await self.profile(profile.id)
            for known in [profile, now].compactMap(\.self) {
                try await keys.removeKey(known.key)
                if let key = known.tokenKey { try await keys.removeKey(key) }
            }
        }
    }

    /// Removes a profile whose record is damaged. Its keys are named by nothing that can be read.
    func wipe(damaged id: Profile.ID) async throws { try await removeRecords(of: id) {} }

    /// Waits for a token renewal or a PIN change: their records are deleted too. Without the
    /// profile's record, other processes write nothing afterwards.
    private func removeRecords(
        of id: Profile.ID, with removeKeys: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await alone(with: id) {
            for name in [Self.tokens(id), Self.room(id), Self.pin(id)] {
                try await store.remove(name)
            }
            try await removeKeys()
            try await store.remove(Self.record(id))
        }
    }

    /// Runs an operation that excludes all others on the same profile.
    func alone<Value: Sendable>(
        with id: Profile.ID, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await store.withLock(Self.pinLock(id), waiting: patience) {
            try await inSession(of: id, body)
        }
    }

    /// Runs an operation on the profile's record or tokens that excludes other such operations.
    func inSession<Value: Sendable>(
        of id: Profile.ID, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await store.withLock(Self.sessionLock(id), waiting: patience, body)
    }

    /// Whether a profile of any provider names that key. Throws if a profile cannot be read.
    func isUsed(_ key: RecordName) async throws -> Bool { try await namedKeys().contains(key) }

    /// Every key that a profile names, of whatever provider.
    ///
    /// - Throws: When one of them cannot be read.
    func namedKeys() async throws -> Set<RecordName> {
        let found = try await listingOfEveryProvider()
        if let damage = found.damage.first { throw damage }
        return Set(found.profiles.flatMap(\.keys))
    }

    /// Removes a key of the key store unless a profile names it, or might.
    func discard(_ key: RecordName) async {
        guard let isUsed = try? await isUsed(key), !isUsed else { return }
        try? await keys.removeKey(key)
    }

    /// The key that signs the person in.
    func key(of profile: StoredProfile) async throws -> any StoredKey {
        try await existing(profile.key)
    }

    /// The key that the person's tokens are bound to, where they are.
    func tokenKey(of profile: StoredProfile) async throws -> any StoredKey {
        try await existing(profile.tokenKey ?? profile.key)
    }

    private func existing(_ name: RecordName) async throws -> any StoredKey {
        guard let key = try await keys.key(name) else {
            throw StoreError.damaged("the key \(name) of the profile is missing")
        }
        return key
    }

    /// Removes everything that the SDK has ever put anywhere.
    func wipeAll() async throws {
        for name in try await keys.keyNames() { try await keys.removeKey(name) }
        // An error does not stop the other deletions; it is thrown afterwards.
        var failure: (any Error)?
        // By name: a record that is damaged goes like the others.
        for id in try await store.names().compactMap(Self.id(ofRecord:)) {
            do { try await wipe(damaged: id) } catch { failure = error }
        }
        for name in try await store.names() {
            do { try await store.remove(name) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

/// The profiles of a store, and for each that cannot be read the error that names it.
struct ProfileListing: Sendable {
    var profiles: [StoredProfile] = []
    var damage: [IdentityError] = []
}
