// SPDX-License-Identifier: Apache-2.0

/// The result of a request for a touch.
package enum GestureOutcome: Sendable, Equatable {
    case approved
    case denied
    case timedOut
}
