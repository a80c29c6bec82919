// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/people/{person}/re-registration`: a way back for somebody who lost every
/// key, opened by an operator, for a limited time, once.
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
        guard let (person, ceremony) = try await ceremony(call) else { return .unknown("person") }
        var lifetime = ReRegistration.defaultLifetime
        if let asked = call.body["lifetime"] {
            guard let seconds = asked.integer, ReRegistration.lifetimes.contains(seconds) else {
                return .refused(
                    .unprocessableContent, code: "invalid_lifetime",
                    "lifetime must be a number of seconds from 300 to 604800.")
            }
            lifetime = .seconds(seconds)
        }
        let (url, end) = try await ceremony.open(for: person, lifetime: lifetime)
        return .value(
            ["url": .string(url), "expires_at": .string(end.rfc3339)], .created)
    }

    private func close(_ call: AdminRequest) async throws -> AdminResponse {
        guard let (person, ceremony) = try await ceremony(call) else { return .unknown("person") }
        return try await ceremony.close(for: person) ? .nothing : .unknown("link")
    }

    private func ceremony(_ call: AdminRequest) async throws -> (Person, ReRegistration)? {
        guard let tenant = try await provider.tenant(named: call[parameter: "project"]),
            let person = try await provider.person(of: call)
        else { return nil }
        let context = CeremonyContext(
            provider: provider, tenant: tenant, facts: call.facts, writer: notices)
        return (person, ReRegistration(context))
    }
}
