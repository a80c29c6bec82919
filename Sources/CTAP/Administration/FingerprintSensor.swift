// SPDX-License-Identifier: Apache-2.0

/// What a fingerprint sensor is like.
package struct FingerprintSensor: Sendable, Equatable {
    package enum Kind: UInt8, Sendable {
        case touch = 1
        case swipe = 2
    }

    package let kind: Kind?
    package let samplesPerFinger: Int?
    /// Longest name in bytes.
    package let longestName: Int?
}
