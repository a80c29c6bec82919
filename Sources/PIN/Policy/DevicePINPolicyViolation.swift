// SPDX-License-Identifier: Apache-2.0

/// Why a PIN may not be chosen, with what a person needs to choose a better one.
package enum DevicePINPolicyViolation: Error, Sendable, Equatable {
    /// Something other than a decimal digit was typed.
    case notDigits
    case wrongLength(required: Int)
    /// On the project's list of PINs that too many people choose.
    case blocked
    /// Every digit follows the one before by the same step: 12345, 97531.
    case sequence
    /// One digit stands more than `maximum` times in a row.
    case tooManyRepeats(maximum: Int)
}
