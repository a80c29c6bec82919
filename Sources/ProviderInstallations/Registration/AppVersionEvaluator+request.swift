// SPDX-License-Identifier: Apache-2.0
import JOSE
package import ProviderCore
import Storage

extension AppVersionEvaluator {
    /// Evaluates the version of the app that sent a request. Refusals are aggregated in the audit
    /// log, because an outdated app repeats its requests.
    ///
    /// - Parameter field: `Gatehouse-Application`; `nil` if the request has no such header.
    package static func refusal(
        of field: String?, for purpose: Purpose, in tenant: Tenant, _ provider: Provider,
        facts: RequestMetadata
    ) async -> Refusal? {
        let evaluator = AppVersionEvaluator(tenant.project.policy.registration)
        guard let refusal = evaluator?.refusal(of: field, for: purpose) else { return nil }
        await provider.audit.count(
            AuditEventDraft(
                "application.version", in: tenant.project.id, facts: facts,
                code: refusal.members.first { $0.name == "code" }?.value.string ?? refusal.code))
        return refusal
    }
}
