// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// How far the registration of one person on a device is.
package enum PersonPhase: Sendable, Hashable {
    case waitingForDevice
    /// The person has to begin it, and was told.
    case waiting
    case registering(RegistrationAttempt)
    case retrying(at: Timestamp)
    /// `failedNoRetry`: not before the configuration or the extension changes.
    case refused
    /// Registered at the provider; a first sign-in with the new configuration is due.
    case signingIn
    /// The key service is asked for the unlock key (protocol 2.0).
    case bindingKey(attempt: UInt64)
    case bindingLater(at: Timestamp)
    case registered

    /// Whether the provider knows the person on this device.
    var isRegistered: Bool {
        switch self {
        case .signingIn, .bindingKey, .bindingLater, .registered: true
        case .waitingForDevice, .waiting, .registering, .retrying, .refused: false
        }
    }

    /// The time of the next attempt to register or to get an unlock key, after a failed one.
    var retryTime: Timestamp? {
        switch self {
        case .retrying(let time), .bindingLater(let time): time
        default: nil
        }
    }
}
