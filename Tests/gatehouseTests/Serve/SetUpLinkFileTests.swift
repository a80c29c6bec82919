// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Primitives
import ProviderCore
import ProviderPeople
import ProviderSupport
import Storage
import Support
import Synchronization
import Testing

@testable import WebPages
@testable import gatehouse

/// The file with the first link goes when it has no use.
@Suite struct SetUpLinkFileTests {
    private let folder = TestFolder()
    private let clock = ManualClock()
    private let provider: Provider
    private let tenant: Tenant
    private let file: SetUpLinkFile

    init() async throws {
        provider = try await TestProvider.make(clock: clock)
        tenant = try #require(try await provider.tenant(named: "default"))
        file = SetUpLinkFile(try DataDirectory.open(folder.path("data")), provider)
    }

    private func issue() async throws -> String {
        try await SetUpLink(provider, project: tenant.project.id, now: clock.now).issue(for: tenant)
    }

    private func write(_ link: String) throws {
        try SecretFile.replace(file.path, Array("\(link)\n".utf8))
    }

    private var isThere: Bool {
        get throws { try SecretFile.read(file.path) != nil }
    }

    private func register(by link: String) async throws {
        let token = try #require(link.split(separator: "=").last.map(String.init))
        let facts = RequestMetadata(now: clock.now, requestID: "r", address: "192.0.2.1")
        let context = CeremonyContext(
            provider: provider, tenant: tenant, facts: facts,
            writer: LocalizedNotificationComposer(try WebResources().translations))
        let steps = PasswordRegistration(
            application: SignUpForm(username: "root", setUpToken: token),
            password: Secret("correct horse battery staple"))
        _ = try await CeremonyRunner(context).run(steps).get()
    }

    @Test("The file stays until its link was used, and is removed then")
    func used() async throws {
        let link = try await issue()
        try write(link)
        await file.removeIfDone()
        #expect(try isThere)
        try await register(by: link)
        await file.removeIfDone()
        #expect(try !isThere)
        await file.removeIfDone()
    }

    @Test("The file is removed too when another link made the first administrator")
    func replaced() async throws {
        try write(try await issue())
        let other = try await issue()
        await file.removeIfDone()
        #expect(try isThere)
        try await register(by: other)
        await file.removeIfDone()
        #expect(try !isThere)
    }

    @Test("The file of an expired link is removed")
    func expired() async throws {
        try write(try await issue())
        clock.advance(by: SetUpLink.lifetime)
        await file.removeIfDone()
        #expect(try !isThere)
    }

    @Test("An owner of a state file who cannot sign in yet needs the file")
    func ownerWithoutCredential() async throws {
        try write(try await issue())
        let person = Person(
            id: Identifier(now: clock.now, random: provider.random), project: tenant.project.id,
            username: "olga", createdAt: clock.now)
        try #require(try await provider.store.people.create(person, with: []) == .created)
        let role = Administrator(
            id: Identifier(now: clock.now, random: provider.random), person: person.id,
            project: nil, role: .owner, createdAt: clock.now)
        #expect(try await provider.store.administrators.assign(role) == .assigned)
        await file.removeIfDone()
        #expect(try isThere)
    }

    @Test("The registration by the link removes the file at once, and events are still counted")
    func observed() async throws {
        let seen = SeenActions()
        provider.audit.setObserver(SetUpLinkObserver(file: file, next: seen))
        let link = try await issue()
        try write(link)
        try await register(by: link)
        try await eventually("the file is gone") { try isThere ? nil : true }
        #expect(seen.all.withLock { $0 }.contains("admin.role.grant"))
    }
}

private final class SeenActions: CeremonyObserver, Sendable {
    let all = Mutex<Set<String>>([])

    func observe(action: String, outcome: AuditEvent.Outcome) {
        all.withLock { _ = $0.insert(action) }
    }
}
