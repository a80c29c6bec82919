// SPDX-License-Identifier: Apache-2.0

/// The reason why a PIN is refused, with the data to explain it to the person.
package enum DevicePINPolicyViolation: Error, Sendable, Equatable {
    /// A character is not a decimal digit.
    case notDigits
    case wrongLength(required: Int)
    /// The PIN is on the project's list of common PINs.
    case blocked
    /// Every digit follows the one before by the same step: 12345, 97531.
    case sequence
    /// One digit occurs more than `maximum` times in a row.
    case tooManyRepeats(maximum: Int)
}
