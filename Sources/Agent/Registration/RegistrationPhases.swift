// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import SingleSignOn

/// Whose device keys: one pair for everybody (`UseSharedDeviceKeys`), or each person's own.
package enum DeviceOwner: Sendable, Hashable {
    case everyone
    case person(String)
}

/// One call of the extension that has not been answered.
package struct RegistrationAttempt: Sendable, Hashable {
    /// Rises with every call; an answer to another number came too late and does not count.
    package let number: UInt64
    package let options: ExtensionRequestOptions
    /// Who sits there and can be asked; `nil` when nobody does.
    package let presence: String?

    package init(number: UInt64, options: ExtensionRequestOptions, presence: String?) {
        self.number = number
        self.options = options
        self.presence = presence
    }

    package var hasUserInterface: Bool { options.contains(.userInteractionEnabled) }
}

/// How far the registration of a device is.
package enum DevicePhase: Sendable, Hashable {
    /// Somebody has to begin it; they were told.
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
}

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
}

/// A phase, and what the next call must say besides: it is kept until a call succeeds.
package struct DeviceRegistrationState: Sendable, Hashable {
    package var phase: DevicePhase
    package var pending: ExtensionRequestOptions = []

    package init(_ phase: DevicePhase, pending: ExtensionRequestOptions = []) {
        self.phase = phase
        self.pending = pending
    }
}

/// As ``DeviceRegistrationState``, of a person.
package struct PersonRegistrationState: Sendable, Hashable {
    package var phase: PersonPhase
    package var pending: ExtensionRequestOptions = []

    package init(_ phase: PersonPhase, pending: ExtensionRequestOptions = []) {
        self.phase = phase
        self.pending = pending
    }
}
