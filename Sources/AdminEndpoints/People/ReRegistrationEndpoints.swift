// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/projects/{project}/people/{person}/re-registration`: single-use recovery links for people who
/// lost every key.
struct ReRegistrationEndpoints: Sendable {
    let scope: ProjectScope
    let notices: any NotificationComposer

    func open(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.links(call, notices: notices) {
            let opened = try await $0.openReRegistration(of: $1, lifetime: call.lifetime)
            return AdminResponse(opened) {
                .value(
                    ["url": .string($0.url), "expires_at": .string($0.expiresAt.rfc3339)],
                    .created)
            }
        }
    }

    func close(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.links(call, notices: notices) {
            AdminResponse(try await $0.closeReRegistration(of: $1))
        }
    }
}
