// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/identity-providers`: whose people may sign in here with the account that
/// they have there.
struct IdentityProviderEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    private static let path = "/projects/{project}/identity-providers"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listIdentityProviders",
                "Upstream identity providers, in order of identifier.",
                query: AdminEndpoint.optionalPaging, answer: "IdentityProviders", run: list),
            AdminEndpoint(
                .get, Self.path + "/{identifier}", "showIdentityProvider",
                "One of them, with the redirect_uri to register there.",
                answer: "IdentityProvider", run: show),
            AdminEndpoint(
                .put, Self.path + "/{identifier}", "putIdentityProvider",
                "Creates or replaces the provider of that identifier; its kind never changes. "
                    + "Disabling it ends the sessions and grants that depend on it.",
                body: "IdentityProvider", answer: "Changes", statuses: AdminEndpoint.making,
                run: put),
            AdminEndpoint(
                .delete, Self.path + "/{identifier}", "removeIdentityProvider",
                "Removes it and the links of all people to it. People are kept.", run: remove),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard let tenant = try await provider.tenant(named: call[parameter: "project"]) else {
            return .unknown("project")
        }
        let providers = try await provider.store.upstreamProviders.upstreamProviders(
            of: tenant.project.id)
        return try await PageRequest.answer(
            call, list: "identity-providers/\(tenant.project.id)", secrets: provider.secrets,
            all: providers, key: \.name, json: { Self.json($0, of: tenant) })
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        guard let tenant = try await provider.tenant(named: call[parameter: "project"]) else {
            return .unknown("project")
        }
        let found = try await provider.store.upstreamProviders.upstreamProvider(
            named: call[parameter: "identifier"], in: tenant.project.id)
        return found.map { .value(Self.json($0, of: tenant)) } ?? .unknown("identity_provider")
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        let name = call[parameter: "project"]
        guard let tenant = try await provider.tenant(named: name) else {
            return .unknown("project")
        }
        var wanted: DesiredUpstreamProvider
        do throws(StateDocumentError) {
            wanted = try StateParser.upstreamProvider(
                call.body, identifier: call[parameter: "identifier"])
        } catch {
            return .invalid(error)
        }
        if let shown = call.onlyOver {
            let known = try await provider.store.upstreamProviders.upstreamProvider(
                named: wanted.identifier, in: tenant.project.id)
            guard let known, Self.json(known, of: tenant) == shown else { return .changedSince }
            wanted.earlier = known
        }
        return try await provider.reconcile(
            DesiredProject(name: name, upstreamProviders: [wanted]), making: .upstreamProvider, call
        )
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let name = call[parameter: "identifier"]
        let details: JSONValue = ["name": .string(name)]
        let draft = AuditEventDraft(
            "admin.identity-provider.remove", in: project.id, facts: call.facts,
            details: details.text)
        guard
            let found = try await provider.store.upstreamProviders.upstreamProvider(
                named: name, in: project.id),
            try await provider.recorded(
                draft,
                {
                    try await $0.upstreamProviders.remove(
                        upstreamProvider: found.id, of: project.id, now: call.facts.now)
                }) != nil
        else { return .unknown("identity_provider") }
        provider.upstream.invalidate()
        return .nothing
    }

    private static func json(_ found: UpstreamProvider, of tenant: Tenant) -> JSONValue {
        var object = StateExport.object(found)
        object["redirect_uri"] = .string(
            UpstreamAuthorizationRedirect.redirectURI(found, of: tenant))
        object["post_logout_redirect_uri"] = .string(
            UpstreamSignOut.returnAddress(found.name, of: tenant))
        object["logout_uri"] = .string(UpstreamLogout.address(found.name, of: tenant))
        object["federation_jwks_uri"] = .string("\(tenant.issuer)/jwks/federation")
        return .object(object)
    }
}
