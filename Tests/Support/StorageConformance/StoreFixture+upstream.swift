// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

extension StoreFixture {
    package func makeUpstream(_ name: String = "acme") -> UpstreamProvider {
        var settings = UpstreamSettings()
        settings.issuer = "https://\(name).example"
        settings.clientID = "gatehouse"
        settings.scopes = ["openid", "email"]
        settings.claims = ["username": "preferred_username"]
        return UpstreamProvider(
            id: identifier(), project: project.id, name: name, kind: .oidc, settings: settings,
            sealedSecret: bytes(), createdAt: now)
    }

    /// A link of the fixture's person to that provider.
    package func makeLink(to provider: UpstreamProvider) -> Credential {
        var credential = makeCredential(.federatedIdentity)
        credential.upstream = provider.id
        return credential
    }

    /// A session that rests on the link, and whatever else.
    package func makeSession(
        from link: Credential, and others: AuthenticationFactor...
    ) -> Session {
        var session = makeSession(factors: [factor("fed", with: link)] + others)
        session.authenticationMethods = "fed"
        return session
    }

    package func makeSequence(_ name: String = "trial") -> EntitlementSequence {
        EntitlementSequence(
            project: project.id, name: name,
            steps: [.init(set: "gold", duration: 86_400), .init(set: "basic", duration: nil)],
            createdAt: now)
    }

    package func makeChange(
        _ amounts: [String: Int64], request: [UInt8]? = nil
    ) -> ExpendableChange {
        ExpendableChange(
            person: person.id, request: request ?? bytes(16), amounts: amounts, at: now,
            rememberedUntil: now + .days(30))
    }

    /// A little of everything that has to do with them.
    func fillEntitlements() async throws {
        let provider = makeUpstream()
        _ = try await store.upstreamProviders.save(provider, now: now)
        _ = try await store.credentials.add(makeLink(to: provider))
        try await store.entitlements.save(makeEntitlementSet("basic"))
        _ = try await store.entitlements.save(makeSequence())
        _ = try await store.entitlements.setEntitlements(
            of: person.id, sequence: "trial", explicit: "{}", now: now)
        _ = try await store.entitlements.changeExpendables(
            makeChange(["sms": 5]), recording: makeEvent("given"))
    }
}
