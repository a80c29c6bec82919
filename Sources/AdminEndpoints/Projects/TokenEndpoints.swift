// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
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
        let link = try await OperatorAccess(provider, facts: call.facts).issueSetUpLink()
        return AdminResponse(link) {
            .value(["url": .string($0.url), "expires_at": .string($0.expiresAt.rfc3339)])
        }
    }

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .post, "/token/rotate", "rotateToken",
                "Replaces the admin token; the old one is refused from now on.",
                answer: "Token"
            ) { call in
                let fresh = try await OperatorAccess(provider, facts: call.facts)
                    .rotate(token, recordingIn: call.request.tenant.project.id)
                return .value(["token": .string(fresh.revealText())])
            },
            AdminEndpoint(
                .post, "/setup-link", "makeSetUpLink",
                "Creates a link with which one person registers as an owner, if the first one is lost or consumed.",
                answer: "SetUpLink", run: makeSetUpLink),
        ]
    }
}
