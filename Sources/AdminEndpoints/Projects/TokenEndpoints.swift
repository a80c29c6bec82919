// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// `/token` and `/setup-link`: what lets the operator in.
struct TokenEndpoints: Sendable {
    let provider: Provider
    let token: AdminToken

    func rotate(_ call: AdminRequest) async throws -> AdminResponse {
        let fresh = try await OperatorAccess(provider, facts: call.facts)
            .rotate(token, recordingIn: call.request.tenant.project.id)
        return AdminResponse(fresh) { .value(["token": .string($0.revealText())]) }
    }

    func makeSetUpLink(_ call: AdminRequest) async throws -> AdminResponse {
        let link = try await OperatorAccess(provider, facts: call.facts).issueSetUpLink()
        return AdminResponse(link) {
            .value(["url": .string($0.url), "expires_at": .string($0.expiresAt.rfc3339)])
        }
    }
}
