// SPDX-License-Identifier: Apache-2.0

/// Removes a profile from this installation: its session, its keys and its records.
struct ProfileRemoval: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry

    func remove(_ profile: StoredProfile) async throws {
        await sessions.remove(profile.id)?.cache.end()
        await dependencies.removeKeys(of: profile.authenticators)
        try await dependencies.profiles.wipe(profile)
    }

    /// Removes a profile whose record is damaged.
    func remove(damaged profile: Profile.ID) async throws {
        await sessions.remove(profile)?.cache.end()
        try await dependencies.profiles.wipe(damaged: profile)
        await PendingKeys(dependencies).removeOrphans()
    }

    /// Removes everything that the SDK has stored, also for other providers.
    func removeAll() async throws {
        let known =
            (try? await dependencies.profiles.listingOfEveryProvider()) ?? ProfileListing()
        for profile in known.profiles {
            await dependencies.removeKeys(of: profile.authenticators)
        }
        let wiped: Result<Void, any Error>
        do { wiped = .success(try await dependencies.profiles.wipeAll()) } catch {
            wiped = .failure(error)
        }
        let ids = known.profiles.map(\.id) + known.damage.compactMap(\.profile)
        for id in Set(ids + (await sessions.profileIDs)) {
            await sessions.remove(id)?.cache.end()
            dependencies.events.send(.signedOut(id, .removed))
        }
        try wiped.get()
    }

    /// Runs an operation, and removes the profile if the provider ends it with a signed message.
    func removingIfEnded<Value>(
        _ profile: StoredProfile, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let ended as ProfileEnded {
            try await remove(profile)
            dependencies.events.send(.profileEnded(profile.id, ended.code))
            throw IdentityError(
                .generic, ended.code, "the provider has ended the profile with a signed message")
        }
    }
}
