// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// How far the registration of a device is.
package enum DevicePhase: Sendable, Hashable {
    /// A person must start it, and was notified.
    case waiting
    case registering(RegistrationAttempt)
    case retrying(at: Timestamp)
    /// `failedNoRetry`: not before the configuration or the extension changes.
    case refused
    case registered

    /// Whether it is tried, now or later by itself.
    var isUnderWay: Bool {
        switch self {
        case .registering, .retrying: true
        case .waiting, .refused, .registered: false
        }
    }

    /// The time of the next attempt, after a failed one.
    var retryTime: Timestamp? {
        if case .retrying(let time) = self { time } else { nil }
    }
}
