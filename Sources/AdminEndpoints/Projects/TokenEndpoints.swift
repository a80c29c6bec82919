// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/token` and `/setup-link`: what lets the operator in.
struct TokenEndpoints: Sendable {
    private let provider: Provider
    private let token: AdminToken

    init(_ provider: Provider, token: AdminToken) {
        self.provider = provider
        self.token = token
    }

    private func makeSetUpLink(_ call: AdminRequest) async throws -> AdminResponse {
        guard let home = try await provider.tenant(named: AdministratorRoles.homeProject) else {
            return .unknown("project")
        }
        let now = provider.clock.now
        let link = try await SetUpLink(provider, project: home.project.id, now: now).issue(
            for: home)
        try await provider.audit.record(
            AuditEventDraft("admin.setup_link", in: home.project.id, facts: call.facts))
        return .value([
            "url": .string(link), "expires_at": .string((now + SetUpLink.lifetime).rfc3339),
        ])
    }

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .post, "/token/rotate", "rotateToken",
                "Replaces the admin token; the old one is refused from now on.",
                answer: "Token"
            ) { call in
                let fresh = try await token.rotate(provider.random)
                try await provider.audit.record(
                    AuditEventDraft(
                        "admin.token.rotate", in: call.request.tenant.project.id,
                        facts: call.facts))
                return .value(["token": .string(fresh.revealText())])
            },
            AdminEndpoint(
                .post, "/setup-link", "makeSetUpLink",
                "Creates a link with which one person registers as an owner, if the first one is lost or consumed.",
                answer: "SetUpLink", run: makeSetUpLink),
        ]
    }
}
