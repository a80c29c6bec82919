// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// `/projects/{project}/identity-providers`: whose people may sign in here with the account that
/// they have there.
struct IdentityProviderEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

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
        try await scope.open(call) { project in
            let providers = UpstreamProviderAdministration(project)
            return try await PageRequest.answer(
                call, list: "identity-providers/\(project.project.id)",
                secrets: scope.provider.secrets, all: providers.all(), key: \.name,
                json: providers.json)
        }
    }

    private func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            let providers = UpstreamProviderAdministration(project)
            let found = try await providers.upstreamProvider(call[parameter: "identifier"])
            return found.map { .value(providers.json($0)) } ?? .unknown("identity_provider")
        }
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let wanted: DesiredUpstreamProvider
            do throws(StateDocumentError) {
                wanted = try StateParser.upstreamProvider(
                    call.body, identifier: call[parameter: "identifier"])
            } catch {
                return .invalid(error)
            }
            return AdminResponse(
                changes: try await UpstreamProviderAdministration($0).put(
                    wanted, if: call.condition))
        }
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await UpstreamProviderAdministration($0).remove(
                    call[parameter: "identifier"]))
        }
    }
}
