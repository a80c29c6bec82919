// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The profiles in a store, and what belongs to each: its record, its tokens, its sealed PIN
/// secret and its key.
///
/// A store may hold profiles of several providers, a project's for tests and the real one's: none
/// but those of ``issuer`` are seen here, so that no provider is ever sent what is another's. Those
/// of before that name no provider are seen by all, until one of them has named their person.
struct ProfileBook: Sendable {
    let issuer: String
    let store: any CredentialStore
    let keys: any KeyStore
    let random: any RandomSource

    // MARK: Names

    /// Who signed in last at this provider.
    private var current: RecordName { RecordName("current", ofIssuer: issuer) }
    /// The same in stores of before, which had one for all providers.
    private static let sharedCurrent = RecordName("current")

    static func record(_ id: Profile.ID) -> RecordName { RecordName("profile", id.rawValue) }
    static func tokens(_ id: Profile.ID) -> RecordName { RecordName("tokens", id.rawValue) }
    /// Holds nothing but the room that renewed tokens may need.
    static func room(_ id: Profile.ID) -> RecordName { RecordName("room", id.rawValue) }
    static func pin(_ id: Profile.ID) -> RecordName { RecordName("pin", id.rawValue) }
    static func sessionLock(_ id: Profile.ID) -> RecordName { RecordName("session", id.rawValue) }
    static func pinLock(_ id: Profile.ID) -> RecordName { RecordName("pinstate", id.rawValue) }

    /// Ten letters and digits, none of which looks like another.
    func newName() -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
        let picked = random.bytes(10).map { letters[Int($0) % letters.count] }
        return String(decoding: picked, as: UTF8.self)
    }

    // MARK: Reading

    func all() async throws -> [StoredProfile] {
        try await allOfEveryProvider().filter(isOfThisProvider)
    }

    func allOfEveryProvider() async throws -> [StoredProfile] {
        var profiles: [StoredProfile] = []
        for name in try await store.names() where name.rawValue.hasPrefix("profile.") {
            if let profile = try await read(name) { profiles.append(profile) }
        }
        return profiles.sorted {
            ($0.registeredAt, $0.id.rawValue) < ($1.registeredAt, $1.id.rawValue)
        }
    }

    func profile(_ id: Profile.ID) async throws -> StoredProfile? {
        // The identifier may have come from anywhere.
        guard let name = RecordName(rawValue: "profile.\(id.rawValue)") else { return nil }
        return try await read(name).flatMap { isOfThisProvider($0) ? $0 : nil }
    }

    private func isOfThisProvider(_ profile: StoredProfile) -> Bool {
        profile.issuer == nil || profile.issuer == issuer
    }

    func profile(ofUser userID: String) async throws -> StoredProfile? {
        try await all().first { $0.userID == userID }
    }

    /// Whoever signed in last.
    func currentProfile() async throws -> StoredProfile? {
        for name in [current, Self.sharedCurrent] {
            guard let bytes = try await store.read(name) else { continue }
            let id = Profile.ID(rawValue: String(decoding: bytes, as: UTF8.self))
            if let profile = try await profile(id) { return profile }
        }
        return try await all().last
    }

    private func read(_ name: RecordName) async throws -> StoredProfile? {
        guard let bytes = try await store.read(name) else { return nil }
        guard let profile = StoredProfile(json: bytes) else {
            throw StoreError.damaged("\(name) is not a profile")
        }
        return profile
    }

    // MARK: Writing

    func save(_ profile: StoredProfile) async throws {
        try await store.write(profile.json, to: Self.record(profile.id))
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

    /// Whoever renews the tokens or changes the PIN meanwhile ends first: what they write goes with
    /// the rest, and without the profile's record nobody writes anything after.
    private func removeRecords(
        of id: Profile.ID, with removeKeys: @Sendable () async throws -> Void
    ) async throws {
        try await alone(with: id) {
            for name in [Self.tokens(id), Self.room(id), Self.pin(id)] {
                try await store.remove(name)
            }
            try await removeKeys()
            try await store.remove(Self.record(id))
        }
    }

    /// Runs what nobody may see half done who has to do with that profile.
    func alone<Value: Sendable>(
        with id: Profile.ID, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await store.withLock(Self.pinLock(id)) {
            try await store.withLock(Self.sessionLock(id), body)
        }
    }

    /// Whether a profile names that key, of whatever provider.
    func isUsed(_ key: RecordName) async throws -> Bool {
        try await allOfEveryProvider().contains { profile in
            profile.key == key || profile.tokenKey == key
                || profile.authenticators.contains { $0.key == key }
        }
    }

    /// Removes a key of the key store unless a profile names it, or might.
    func discard(_ key: RecordName) async {
        guard let isUsed = try? await isUsed(key), !isUsed else { return }
        try? await keys.removeKey(key)
    }

    /// The key that signs the person in.
    func key(of profile: StoredProfile) async throws -> any SigningKey {
        try await existing(profile.key)
    }

    /// The key that the person's tokens are bound to, where they are.
    func tokenKey(of profile: StoredProfile) async throws -> any SigningKey {
        try await existing(profile.tokenKey ?? profile.key)
    }

    private func existing(_ name: RecordName) async throws -> any SigningKey {
        guard let key = try await keys.key(name) else {
            throw StoreError.damaged("the key \(name) of the profile is missing")
        }
        return key
    }

    /// Removes everything that the SDK has ever put anywhere.
    func wipeAll() async throws {
        for name in try await keys.keyNames() { try await keys.removeKey(name) }
        // By name: a record that is damaged goes like the others.
        let mark = "profile."
        for name in try await store.names() where name.rawValue.hasPrefix(mark) {
            let id = Profile.ID(rawValue: String(name.rawValue.dropFirst(mark.count)))
            try await removeRecords(of: id) {}
        }
        for name in try await store.names() { try await store.remove(name) }
    }
}
