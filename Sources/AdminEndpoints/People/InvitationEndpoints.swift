// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/people/{person}/invitation`: single-use links with which people created by
/// an administrator register their first credential.
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
                "Invites the person, also repeatedly: mails the link, or returns it if mail fails.",
                body: "Invite", answer: "Invitation", statuses: [.created], run: invite),
            AdminEndpoint(
                .delete, Self.path, "withdrawInvitation", "Withdraws the invitation.",
                run: withdraw),
        ]
    }

    private func invite(_ call: AdminRequest) async throws -> AdminResponse {
        guard let (person, ceremony) = try await call.links(Invitation.self, provider, notices)
        else { return .unknown("person") }
        guard
            let lifetime = call.lifetime(
                in: Invitation.lifetimes, otherwise: Invitation.defaultLifetime)
        else { return .invalidLifetime(Invitation.lifetimes) }
        guard
            let sent = try await ceremony.send(
                to: person, lifetime: lifetime, byMail: call.body["mail"]?.bool ?? true)
        else {
            return .refused(
                .conflict, code: "not_invitable",
                "The person is disabled, or has a sign-in method; create a recovery link instead.")
        }
        var answer = JSONObject()
        answer["expires_at"] = .string(sent.expiresAt.rfc3339)
        answer["mailed_to"] = sent.address.map(JSONValue.string)
        answer["url"] = sent.url.map(JSONValue.string)
        answer["not_mailed"] = sent.notMailed.map { .string($0.rawValue) }
        return .value(.object(answer), .created)
    }

    private func withdraw(_ call: AdminRequest) async throws -> AdminResponse {
        guard let (person, ceremony) = try await call.links(Invitation.self, provider, notices)
        else { return .unknown("person") }
        return try await ceremony.withdraw(from: person) ? .nothing : .unknown("invitation")
    }
}
