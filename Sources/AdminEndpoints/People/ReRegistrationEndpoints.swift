// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/people/{person}/re-registration`: single-use recovery links for people who
/// lost every key.
struct ReRegistrationEndpoints: Sendable {
    private let provider: Provider
    private let notices: any NotificationComposer

    init(_ provider: Provider, notices: any NotificationComposer) {
        self.provider = provider
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
        guard let (person, ceremony) = try await call.links(ReRegistration.self, provider, notices)
        else { return .unknown("person") }
        guard
            let lifetime = call.lifetime(
                in: ReRegistration.lifetimes, otherwise: ReRegistration.defaultLifetime)
        else { return .invalidLifetime(ReRegistration.lifetimes) }
        let (url, end) = try await ceremony.open(for: person, lifetime: lifetime)
        return .value(
            ["url": .string(url), "expires_at": .string(end.rfc3339)], .created)
    }

    private func close(_ call: AdminRequest) async throws -> AdminResponse {
        guard let (person, ceremony) = try await call.links(ReRegistration.self, provider, notices)
        else { return .unknown("person") }
        return try await ceremony.close(for: person) ? .nothing : .unknown("link")
    }
}
