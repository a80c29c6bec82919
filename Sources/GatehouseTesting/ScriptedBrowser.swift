// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
import Primitives
import ProviderCore
import Storage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A browser with a session of a person at an ``InProcessProvider``. It opens the page and returns
/// the redirect.
public struct ScriptedBrowser: BrowserPresenter {
    private let provider: InProcessProvider
    private let cookie: String

    /// - Parameters:
    ///   - username: The person, who is created if necessary.
    ///   - provider: Where.
    public init(_ username: String, at provider: InProcessProvider) async throws {
        self.provider = provider
        cookie = try await provider.sessionCookie(of: username)
    }

    /// See `BrowserPresenter`.
    public func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        let redirectURI = InProcessProvider.redirectURI
        guard let page = request.url(redirectingTo: redirectURI) else {
            throw InProcessProvider.OperationError(reason: "no address")
        }
        let response = try await provider.response(
            to: ResourceRequest(page.absoluteString, headers: [("cookie", cookie)]))
        guard let location = response.header("location").flatMap({ URL(string: $0) }),
            let parameters = BrowserRequest.parameters(of: location)
        else { throw InProcessProvider.OperationError(reason: "status \(response.status)") }
        return BrowserResponse(parameters: parameters, redirectURI: redirectURI)
    }
}

extension InProcessProvider {
    /// What a browser has after that person has signed in.
    func sessionCookie(of username: String) async throws -> String {
        guard let tenant = try await provider.tenant(named: "default") else {
            throw OperationError(reason: "no project")
        }
        let person = try await person(username, in: tenant)
        let factor = AuthenticationFactor(
            at: provider.clock.now, methods: ["pwd"], contextClass: "urn:gatehouse:acr:password",
            credential: nil)
        let (_, value) = try await SessionService(provider: provider).start(
            person: person, factor: factor, tenant: tenant, facts: Self.facts(clock),
            replacing: nil)
        return "gatehouse-session=\(value)"
    }

    private func person(_ username: String, in tenant: Tenant) async throws -> Person {
        if let known = try await provider.store.people.person(
            username: username, in: tenant.project.id)
        {
            return known
        }
        let person = Person(
            id: Identifier(now: provider.clock.now, random: provider.random),
            project: tenant.project.id, username: username, claims: PersonClaims(),
            createdAt: provider.clock.now)
        guard try await provider.store.people.create(person, with: []) == .created else {
            throw OperationError(reason: "\(username) could not be made")
        }
        return person
    }
}
