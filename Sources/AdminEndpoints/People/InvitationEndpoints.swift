// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import Storage

/// `/projects/{project}/people/{person}/invitation`: single-use links with which people created by
/// an administrator register their first credential.
struct InvitationEndpoints: Sendable {
    let scope: ProjectScope
    let notices: any NotificationComposer

    func invite(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.links(call, notices: notices) {
            let sent = try await $0.invite(
                $1, lifetime: call.lifetime, byMail: call.body["mail"]?.bool ?? true)
            return AdminResponse(sent) { .value(Self.json($0), .created) }
        }
    }

    func withdraw(_ call: AdminRequest) async throws -> AdminResponse {
        try await scope.links(call, notices: notices) {
            AdminResponse(try await $0.withdrawInvitation(of: $1))
        }
    }

    private static func json(_ sent: Invitation.Sent) -> JSONValue {
        var object = JSONObject()
        object["expires_at"] = .string(sent.expiresAt.rfc3339)
        object["mailed_to"] = sent.address.map(JSONValue.string)
        object["url"] = sent.url.map(JSONValue.string)
        object["not_mailed"] = sent.notMailed.map { .string($0.rawValue) }
        return .object(object)
    }
}

extension AdminRequest {
    /// How long a one-time link is active.
    var lifetime: LinkAdministration.Lifetime {
        body["lifetime"].map { .seconds($0.integer) } ?? .standard
    }
}
