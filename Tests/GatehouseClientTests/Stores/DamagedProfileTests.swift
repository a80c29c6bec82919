// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
import Support
import Testing

/// A profile whose record was changed by another program: the error names it, and other profiles
/// work.
@Suite("A damaged profile") struct DamagedProfileTests {
    private let provider: InProcessProvider
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        client = try provider.client(store: store, keys: keys)
    }

    /// Two people; the second signed in last.
    private func two() async throws -> (first: Profile, second: Profile) {
        let first = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey, as: first.id)
        provider.clock.advance(by: .seconds(1))
        let second = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey, as: second.id)
        return (first, second)
    }

    private func damage(_ profile: Profile, with bytes: [UInt8] = [1, 2, 3]) async throws {
        let name = try #require(RecordName(rawValue: "profile.\(profile.id.rawValue)"))
        try await store.write(bytes, to: name)
    }

    /// As another process, which has read nothing before.
    private func restarted() throws -> IdentityClient {
        try provider.client(store: store, keys: keys)
    }

    @Test("The others are listed, signed in and renewed; the damaged one is named")
    func others() async throws {
        let (first, second) = try await two()
        try await damage(first)
        let again = try restarted()
        #expect(try await again.profiles == [second])
        #expect(try await again.damagedProfiles == [first.id])
        #expect(try await again.session().profile == second)
        provider.clock.advance(by: .seconds(3700))
        #expect(try await again.session().accessToken().scopes.contains("openid"))
        try await again.signIn(.deviceKey, as: second.id)
        let third = try await again.register(.credential(provider.testKey())).profile
        #expect(try await Set(again.profiles.map(\.id)) == [second.id, third.id])
    }

    @Test("What is asked of the damaged one says whose record it is, and what to do")
    func named() async throws {
        let (first, _) = try await two()
        try await damage(first)
        let again = try restarted()
        let asked: [() async throws -> Void] = [
            { _ = try await again.session(for: first.id) },
            { try await again.signIn(.deviceKey, as: first.id) },
            { _ = try await again.authenticate(first.id).outcome },
            { _ = try await again.changePIN(of: first.id).outcome },
            { try await again.signOut(first.id) },
            { try await again.deleteAccount(of: first.id) },
        ]
        for ask in asked {
            do {
                try await ask()
                Issue.record("it cannot know")
            } catch let error as IdentityError {
                #expect(error.code == .storageDamaged && error.domain == .generic)
                #expect(error.profile == first.id && error.retry == .never)
                #expect(error.reason.contains(first.id.rawValue))
                #expect(error.reason.contains("remove(_:)"))
            }
        }
    }

    @Test("Nobody else is taken for whoever signed in last and is damaged")
    func current() async throws {
        let (first, second) = try await two()
        try await damage(second)
        let again = try restarted()
        do {
            _ = try await again.session()
            Issue.record("somebody else's session")
        } catch let error as IdentityError { #expect(error.profile == second.id) }
        await #expect(throws: IdentityError.made(.generic, .storageDamaged)) {
            try await again.signIn(.deviceKey)
        }
        #expect(try await again.session(for: first.id).profile == first)
    }

    @Test("It is removed by itself, with its tokens and its key; the provider cannot be told")
    func removed() async throws {
        let (first, second) = try await two()
        try await damage(first)
        let again = try restarted()
        #expect(try await keys.keyNames().count == 2)
        guard case .localOnly(let error) = try await again.remove(first.id) else {
            Issue.record("nobody knows what the provider calls it")
            return
        }
        #expect(error.profile == first.id && error.code == .storageDamaged)
        #expect(try await again.damagedProfiles.isEmpty)
        #expect(try await again.profiles == [second])
        let left = try await store.names().map(\.rawValue)
        #expect(!left.contains { $0.hasSuffix(first.id.rawValue) })
        #expect(try await keys.keyNames().count == 1)
        try await again.signIn(.deviceKey, as: second.id)
        await #expect(throws: IdentityError.made(.deregistration, .notRegistered)) {
            try await again.remove(first.id)
        }
    }

    @Test("Its key goes, and not those of a ceremony under way or a registration without an end")
    func orphans() async throws {
        let (first, second) = try await two()
        let browser = HeldBrowser(try await ScriptedBrowser("anna", at: provider))
        let signIn = Task { [client] in try await client.signIn(with: browser) }
        await browser.isAsked()
        try await damage(first)
        let again = try restarted()
        try await again.remove(first.id)
        // A key is being created: no key is deleted.
        #expect(try await keys.keyNames().count == 3)
        browser.release()
        #expect(try await signIn.value.accessToken().isBoundToKey)

        let pending = try #require(
            RecordName(rawValue: "pending.\(UUID().uuidString.lowercased())"))
        let name = RecordName(testing: "key.pending")
        _ = try await keys.makeKey(name)
        let text = #"{"method":"testKey","key":"key.pending","uncertain":true}"#
        try await store.write(Array(text.utf8), to: pending)
        try await damage(second)
        try await again.remove(second.id)
        // Anna's key, and that of the registration. The other two were deleted.
        let left = try await keys.keyNames()
        #expect(left.contains(name) && left.count == 2)
    }

    @Test("Whoever it was registers again, before it is removed or after")
    func registersAgain() async throws {
        let issuer = try await provider.addIssuer()
        try await provider.change { $0.policy.registration.secondInstallations = true }
        let anna = try await client.register(.credential(issuer("anna"))).profile
        try await damage(anna)
        let again = try restarted()
        let anew = try await again.register(.credential(issuer("anna"))).profile
        #expect(anew.userID == anna.userID && anew.id != anna.id)
        #expect(try await again.damagedProfiles == [anna.id])
        try await again.remove(anna.id)
        #expect(try await again.profiles == [anew])
        try await again.signIn(.deviceKey)
    }

    @Test("A session that lasts while its profile is damaged goes on")
    func running() async throws {
        let (_, second) = try await two()
        let session = try await client.session(for: second.id)
        try await damage(second)
        provider.clock.advance(by: .seconds(3700))
        #expect(try await session.accessToken().scopes.contains("openid"))
    }

    @Test("When none can be read that is not nobody; erasing ends the sessions that last")
    func none() async throws {
        let (first, second) = try await two()
        let session = try await client.session(for: second.id)
        try await damage(first)
        try await damage(second, with: Array(#"{"format":1}"#.utf8))
        await #expect(throws: IdentityError.made(.generic, .storageDamaged)) {
            try await client.profiles
        }
        #expect(try await Set(client.damagedProfiles) == [first.id, second.id])
        try await client.eraseLocalState()
        #expect(try await client.profiles.isEmpty)
        #expect(try await client.damagedProfiles.isEmpty)
        #expect(try await store.names().isEmpty)
        #expect(try await keys.keyNames().isEmpty)
        await #expect(throws: IdentityError.self) { try await session.accessToken() }
    }

    @Test("A record that stands under another's name is damaged, and nobody becomes that person")
    func swapped() async throws {
        let (first, second) = try await two()
        let name = try #require(RecordName(rawValue: "profile.\(second.id.rawValue)"))
        try await damage(first, with: try #require(try await store.read(name)))
        let again = try restarted()
        #expect(try await again.profiles == [second])
        #expect(try await again.damagedProfiles == [first.id])
    }

    @Test("Who signed in last cannot be read: of one person it is that one, of two nobody guesses")
    func pointer() async throws {
        let folder = TestFolder()
        let harmed = HarmedFolder(folder.path("records"))
        func open() throws -> IdentityClient {
            try provider.client(store: harmed.store(.besideRecords), keys: keys)
        }
        func harm() async throws {
            let names = try await harmed.store(.besideRecords).names()
            try harmed.damage(try #require(names.first { $0.rawValue.hasPrefix("current") }))
        }
        let one = try await open().register(.credential(provider.testKey())).profile
        try await open().signIn(.deviceKey)
        try await harm()
        #expect(try await open().session().profile == one)
        let other = try await open().register(.credential(provider.testKey())).profile
        try await open().signIn(.deviceKey, as: other.id)
        try await harm()
        await #expect(throws: IdentityError.made(.generic, .storageDamaged)) {
            try await open().session()
        }
        try await open().signIn(.deviceKey, as: one.id)
        #expect(try await open().session().profile == one)
    }

    /// What a file of a record can become.
    enum Harm: String, CaseIterable { case grown, cut, empty, pipe, otherPlace }

    @Test(
        "Whatever has become of its file: the others go on, and it is removed",
        arguments: Harm.allCases)
    func file(_ harm: Harm) async throws {
        let folder = TestFolder()
        func open() throws -> IdentityClient {
            try provider.client(
                store: FileSecureStore(
                    directory: folder.path("records"), sealedWith: .besideRecords), keys: keys)
        }
        let first = try await open().register(.credential(provider.testKey())).profile
        let second = try await open().register(.credential(provider.testKey())).profile
        try harm.befall("\(folder.path("records"))/profile.\(first.id.rawValue).sealed")
        #expect(try await open().profiles == [second])
        #expect(try await open().damagedProfiles == [first.id])
        #expect(try await open().signIn(.deviceKey).profile == second)
        #expect(try await !open().remove(first.id).isComplete)
        #expect(try await open().damagedProfiles.isEmpty)
        #expect(try await keys.keyNames().count == 1)
    }

    @Test("A damaged record of a registration hinders no other, and is begun anew")
    func pending() async throws {
        let (damaged, whole) = (UUID(), UUID())
        for (id, text) in [
            (damaged, "odd"),
            (whole, #"{"method":"testKey","key":"key.bbbbbbbbbb","uncertain":true}"#),
        ] {
            let name = "pending.\(id.uuidString.lowercased())"
            try await store.write(Array(text.utf8), to: try #require(RecordName(rawValue: name)))
        }
        #expect(try await client.pendingRegistrations.map(\.idempotencyKey) == [whole])
        let made = try await client.register(
            .credential(provider.testKey()), idempotencyKey: damaged)
        #expect(try await client.profiles == [made.profile])
        try await store.remove(
            try #require(RecordName(rawValue: "pending.\(whole.uuidString.lowercased())")))
        let alone = try #require(
            RecordName(rawValue: "pending.\(UUID().uuidString.lowercased())"))
        try await store.write([1], to: alone)
        await #expect(throws: IdentityError.made(.generic, .storageDamaged)) {
            try await client.pendingRegistrations
        }
    }
}

extension DamagedProfileTests.Harm {
    /// Does it to the file at that place.
    fileprivate func befall(_ path: String) throws {
        let url = URL(filePath: path)
        let whole = try Data(contentsOf: url)
        switch self {
        case .grown: try (whole + Data(count: 1_048_576)).write(to: url)
        case .cut: try whole.prefix(9).write(to: url)
        case .empty: try Data().write(to: url)
        case .pipe:
            try FileManager.default.removeItem(at: url)
            try #require(mkfifo(path, 0o600) == 0)
        case .otherPlace:
            // Whole, sealed by the same key, and another record's.
            let others = try FileManager.default.contentsOfDirectory(
                at: url.deletingLastPathComponent(), includingPropertiesForKeys: nil)
            let other = try #require(
                others.first {
                    $0 != url && $0.lastPathComponent.hasPrefix("profile.")
                        && $0.pathExtension == "sealed" && $0.path() != path
                })
            try Data(contentsOf: other).write(to: url)
        }
    }
}
