// SPDX-License-Identifier: Apache-2.0

/// How a person answered, or did not.
package enum GestureOutcome: Sendable, Equatable {
    case approved
    case denied
    case timedOut
}
