// SPDX-License-Identifier: Apache-2.0

/// A gesture that a command requires from the person before it continues.
package enum GestureRequest: Sendable, Equatable {
    /// A touch.
    case confirm(GesturePrompt.Operation)
    /// Built-in verification.
    case verify(GesturePrompt.Operation)
    /// A sample of a new fingerprint.
    case sample
}
