// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// `/projects/{project}/identity-providers`: whose people may sign in here with the account that
/// they have there.
struct IdentityProviderEndpoints: Sendable {
    let scope: ProjectScope

    func list(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            let providers = UpstreamProviderAdministration(project)
            return try await call.page(of: providers.list(), json: providers.json)
        }
    }

    func show(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) { project in
            let providers = UpstreamProviderAdministration(project)
            let found = try await providers.upstreamProvider(call[.identifier])
            return found.map { .value(providers.json($0)) } ?? .unknown("identity_provider")
        }
    }

    func put(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            let wanted: DesiredUpstreamProvider
            do throws(StateDocumentError) {
                wanted = try StateParser.upstreamProvider(
                    call.body, identifier: call[.identifier])
            } catch {
                return .invalid(error)
            }
            return AdminResponse(
                changes: try await UpstreamProviderAdministration($0).put(
                    wanted, if: call.condition))
        }
    }

    func remove(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.open(call) {
            AdminResponse(
                try await UpstreamProviderAdministration($0).remove(
                    call[.identifier]))
        }
    }
}
