// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/people/{person}/invitation`: the first way in for somebody who was made here,
/// by a link that works once.
struct InvitationEndpoints: Sendable {
    private let provider: Provider
    private let notices: any NotificationComposer

    init(_ provider: Provider, notices: any NotificationComposer) {
        self.provider = provider
        self.notices = notices
    }

    private static let path = "/projects/{project}/people/{person}/invitation"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .post, Self.path, "invitePerson",
                "Invites the person, or again: mails the link, or answers it where it cannot.",
                body: "Invite", answer: "Invitation", statuses: [.created], run: invite),
            AdminEndpoint(
                .delete, Self.path, "withdrawInvitation", "Withdraws the invitation.",
                run: withdraw),
        ]
    }

    private func invite(_ call: AdminRequest) async throws -> AdminResponse {
        guard let (person, ceremony) = try await ceremony(call) else { return .unknown("person") }
        var lifetime = Invitation.defaultLifetime
        if let asked = call.body["lifetime"] {
            guard let seconds = asked.integer, Invitation.lifetimes.contains(seconds) else {
                return .refused(
                    .unprocessableContent, code: "invalid_lifetime",
                    "lifetime must be a number of seconds from 300 to 2592000.")
            }
            lifetime = .seconds(seconds)
        }
        guard
            let sent = try await ceremony.send(
                to: person, lifetime: lifetime, byMail: call.body["mail"]?.bool ?? true)
        else {
            return .refused(
                .conflict, code: "not_invitable",
                "The person is disabled, or has a way in already; open re-registration instead.")
        }
        var answer = JSONObject()
        answer["expires_at"] = .string(sent.expiresAt.rfc3339)
        answer["mailed_to"] = sent.address.map(JSONValue.string)
        answer["url"] = sent.url.map(JSONValue.string)
        answer["not_mailed"] = sent.notMailed.map { .string($0.rawValue) }
        return .value(.object(answer), .created)
    }

    private func withdraw(_ call: AdminRequest) async throws -> AdminResponse {
        guard let (person, ceremony) = try await ceremony(call) else { return .unknown("person") }
        return try await ceremony.withdraw(from: person) ? .nothing : .unknown("invitation")
    }

    private func ceremony(_ call: AdminRequest) async throws -> (Person, Invitation)? {
        guard let tenant = try await provider.tenant(named: call[parameter: "project"]),
            let person = try await provider.person(of: call)
        else { return nil }
        let context = CeremonyContext(
            provider: provider, tenant: tenant, facts: call.facts, writer: notices)
        return (person, Invitation(context))
    }
}
