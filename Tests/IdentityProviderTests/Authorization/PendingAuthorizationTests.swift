// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderSupport
import Storage
import Support
import Testing

@testable import ProviderCore
@testable import ProviderTokens

/// A request that waits, as the browser carries it.
@Suite struct PendingAuthorizationTests {
    private let clock = ManualClock()
    private let provider: Provider
    private let tenant: Tenant

    init() async throws {
        provider = try await TestProvider.make(clock: clock)
        tenant = try #require(try await provider.tenant(named: "default"))
    }

    private func pending(_ parameters: AuthorizationParameters) -> PendingAuthorization {
        let person = Identifier<Person>(now: clock.now, random: provider.random)
        var pending = PendingAuthorization(
            id: provider.random.bytes(PendingAuthorization.idLength), parameters: parameters,
            startedAt: clock.now, hintedSubject: person.description)
        pending.consentedBy = person
        pending.chosenBy = person
        pending.wentOnWithoutKey = person
        pending.refusedTo = person
        return pending
    }

    private func open(_ handle: String, _ other: Tenant? = nil) -> PendingAuthorization? {
        PendingAuthorization(handle: handle, in: provider, of: other ?? tenant, now: clock.now)
    }

    @Test("what is remembered comes back, but for the hint, of which its subject is enough")
    func roundTrip() throws {
        var parameters = AuthorizationParameters()
        for name in AuthorizationParameter.allCases { parameters[name] = "\"\(name)\u{7}\" ä" }
        let pending = pending(parameters)
        #expect(pending.parameters[.idTokenHint] == nil)
        let opened = try #require(open(try pending.handle(in: provider, of: tenant)))
        #expect(opened == pending)
        #expect(opened.parameters[.state] == parameters[.state])
    }

    @Test("the longest request, with all that a person can do, fits into a handle of an address")
    func longest() throws {
        var parameters: AuthorizationParameters = [.state: ""]
        let room =
            PendingAuthorization.maximumParametersLength
            - PendingAuthorization.length(of: parameters)
        parameters[.state] = String(repeating: "s", count: room)
        #expect(
            PendingAuthorization.length(of: parameters)
                == PendingAuthorization.maximumParametersLength)
        let handle = try pending(parameters).handle(in: provider, of: tenant)
        #expect(handle.utf8.count <= Interaction.maximumHandleLength)
        #expect(Interaction.isHandle(handle) && open(handle) != nil)
    }

    @Test("a handle that was changed, is of another project, or is too old does not open")
    func refused() async throws {
        let handle = try pending([.state: "s"]).handle(in: provider, of: tenant)
        var project = tenant.project
        project = Project(
            id: Identifier(now: clock.now, random: provider.random), name: "other",
            environment: project.environment, createdAt: clock.now)
        #expect(open(handle, Tenant(project: project, issuer: TestProvider.issuer)) == nil)
        for bad in ["", "x", handle + "A", String(handle.dropLast(4)), handle.lowercased()] {
            #expect(open(bad) == nil)
        }
        clock.advance(by: TimeSpan(milliseconds: PendingAuthorization.lifetime.milliseconds - 1))
        #expect(open(handle) != nil)
        clock.advance(by: TimeSpan(milliseconds: 1))
        #expect(open(handle) == nil)
    }

    @Test("what no rule reads is dropped")
    func unknown() {
        let sent = ["state": "s", "unknown": "x", "STATE": "t", "code": "c"]
        #expect(AuthorizationParameters(sent) == [.state: "s"])
    }
}
