// SPDX-License-Identifier: Apache-2.0

/// The properties of a fingerprint sensor.
package struct FingerprintSensor: Sendable, Equatable {
    package enum Kind: UInt8, Sendable {
        case touch = 1
        case swipe = 2
    }

    package let kind: Kind?
    package let samplesPerFinger: Int?
    /// Longest name in bytes.
    package let maximumNameLength: Int?
}
