// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import ProviderCore

/// The exchange between an app and the operator's service before a registration in two steps.
package struct CustomExchange: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Records one audit event for each step. The person is not known yet.
    func finish<Value: Sendable>(
        _ step: String, _ outcome: Result<Value, CeremonyRefusal>
    ) async throws -> Result<Value, Refusal> {
        try await context.finish(
            "registration.customTwoStep.\(step)", outcome, person: { _ in nil })
    }
}
