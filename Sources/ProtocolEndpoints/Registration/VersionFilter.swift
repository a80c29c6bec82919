// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import Storage

/// Asks the project's rules for versions about the app that sent a request.
struct VersionFilter {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    /// Counted, not listed: an old app asks again and again.
    func refusal(
        _ request: ServerRequest, for purpose: AppVersionEvaluator.Purpose
    ) async -> Refusal? {
        guard let gate = AppVersionEvaluator(request.tenant.project.policy.registration),
            let refusal = gate.refusal(of: request.headers[.gatehouseApplication], for: purpose)
        else { return nil }
        await provider.audit.count(
            AuditEventDraft(
                "application.version", in: request.tenant.project.id, facts: request.facts,
                code: refusal.members.first { $0.name == "code" }?.value.string ?? refusal.code))
        return refusal
    }
}

extension HTTPField.Name {
    static let gatehouseApplication = HTTPField.Name(ApplicationVersion.fieldName) ?? .userAgent
}
