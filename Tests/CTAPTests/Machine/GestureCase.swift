// SPDX-License-Identifier: Apache-2.0
import CTAP

/// The result of a touch that refuses a command, and the status that follows.
struct GestureCase: Sendable {
    let outcome: GestureResult.Outcome
    var isCancelled = false
    let status: CTAPStatus

    static let refusals = [
        GestureCase(outcome: .confirmation(.denied), status: .operationDenied),
        GestureCase(outcome: .confirmation(.timedOut), status: .userActionTimeout),
        GestureCase(
            outcome: .confirmation(.approved), isCancelled: true, status: .keepaliveCancel),
        // A result of another gesture approves nothing.
        GestureCase(outcome: .verification(.verified), status: .other),
    ]
}
