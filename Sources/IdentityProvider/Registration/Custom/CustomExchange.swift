// SPDX-License-Identifier: Apache-2.0
import AppRegistration

/// What an app and the operator's own service say to one another before a registration in two
/// steps is one.
package struct CustomExchange: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// One event for each: nobody is known yet.
    func settle<Value>(
        _ step: String, _ outcome: Result<Value, CeremonyRefusal>
    ) async throws -> Result<Value, Refusal> {
        try await context.settle(
            "registration.customTwoStep.\(step)", outcome, person: { _ in nil })
    }
}
