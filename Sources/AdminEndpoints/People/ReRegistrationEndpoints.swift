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
    private let scope: ProjectScope
    private let notices: any NotificationComposer

    init(_ provider: Provider, notices: any NotificationComposer) {
        scope = ProjectScope(provider)
        self.notices = notices
    }

    private static let path = "/projects/{project}/people/{person}/re-registration"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .post, Self.path, "openReRegistration",
                "Lets the person register a key again with a link that works once.",
                body: "ReRegistration", answer: "ReRegistrationLink", statuses: [.created],
                run: open),
            AdminEndpoint(
                .delete, Self.path, "closeReRegistration", "Withdraws the link.", run: close),
        ]
    }

    private func open(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.links(call, notices: notices) {
            let opened = try await $0.openReRegistration(of: $1, lifetime: call.lifetime)
            return AdminResponse(opened) {
                .value(
                    ["url": .string($0.url), "expires_at": .string($0.expiresAt.rfc3339)],
                    .created)
            }
        }
    }

    private func close(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.links(call, notices: notices) {
            AdminResponse(try await $0.closeReRegistration(of: $1))
        }
    }
}
