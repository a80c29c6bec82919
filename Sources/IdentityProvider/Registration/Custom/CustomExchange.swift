// SPDX-License-Identifier: Apache-2.0
import AppRegistration

/// The exchange between an app and the operator's service before a registration in two steps.
package struct CustomExchange: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Records one audit event for each step. The person is not known yet.
    func settle<Value>(
        _ step: String, _ outcome: Result<Value, CeremonyRefusal>
    ) async throws -> Result<Value, Refusal> {
        try await context.settle(
            "registration.customTwoStep.\(step)", outcome, person: { _ in nil })
    }
}
