// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/token`: the admin token itself.
struct TokenEndpoints: Sendable {
    private let provider: Provider
    private let token: AdminToken

    init(_ provider: Provider, token: AdminToken) {
        self.provider = provider
        self.token = token
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
                    AuditDraft(
                        "admin.token.rotate", in: call.request.tenant.project.id,
                        facts: call.facts))
                return .value(["token": .string(fresh.revealText())])
            }
        ]
    }
}
