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
    /// How long others are waited for who hold a profile's lock: they may ask the provider for a few
    /// things under it.
    let patience: Duration

    // MARK: Names

    /// Who signed in last at this provider.
    private var current: RecordName { RecordName("current", ofIssuer: issuer) }
    /// The same in stores of before, which had one for all providers.
    private static let sharedCurrent = RecordName("current")

    static func record(_ id: Profile.ID) -> RecordName { RecordName("profile", id.rawValue) }
    private static let mark = "profile."
    private static func id(ofRecord name: RecordName) -> Profile.ID? {
        guard name.rawValue.hasPrefix(mark) else { return nil }
        return Profile.ID(rawValue: String(name.rawValue.dropFirst(mark.count)))
    }
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

    /// Those of this provider that can be read.
    func all() async throws -> [StoredProfile] { try await listing().profiles }

    /// Those of this provider, and what is in the way of others.
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

    private func isOfThisProvider(_ profile: StoredProfile) -> Bool {
        profile.issuer == nil || profile.issuer == issuer
    }

    func profile(ofUser userID: String) async throws -> StoredProfile? {
        try await all().first { $0.userID == userID }
    }

    /// Whoever signed in last; nobody is taken for somebody else whose record is damaged.
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

    /// Where nobody knows any more who signed in last it can be one alone.
    private func onlyProfile(_ damage: String) async throws -> StoredProfile? {
        let found = try await listing()
        guard found.profiles.count + found.damage.count > 1 else {
            if let damage = found.damage.first { throw damage }
            return found.profiles.first
        }
        throw StoreError.damaged("who signed in last cannot be read: name the profile (\(damage))")
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
                "the profile \(id.rawValue) cannot be read; remove(_:) takes it away: \(error)",
                underlying: error, profile: id)
        }
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

    /// Removes a profile whose record is damaged. Its keys are named by nothing that can be read.
    func wipe(damaged id: Profile.ID) async throws { try await removeRecords(of: id) {} }

    /// Whoever renews the tokens or changes the PIN meanwhile ends first: what they write goes with
    /// the rest, and without the profile's record nobody writes anything after.
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

    /// Runs what nobody may see half done who has to do with that profile.
    func alone<Value: Sendable>(
        with id: Profile.ID, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await store.withLock(Self.pinLock(id), waiting: patience) {
            try await inSession(of: id, body)
        }
    }

    /// Runs what reads or writes the profile's record or tokens, while nobody else does.
    func inSession<Value: Sendable>(
        of id: Profile.ID, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await store.withLock(Self.sessionLock(id), waiting: patience, body)
    }

    /// Whether a profile names that key, of whatever provider. While one of them cannot be read
    /// nobody can say.
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
        // What one of them stands in the way of is told when the others are gone.
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
