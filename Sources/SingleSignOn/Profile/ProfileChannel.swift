// SPDX-License-Identifier: Apache-2.0

/// The channel over which a profile reached the device.
package enum ProfileChannel: String, Sendable, Hashable, CaseIterable {
    case device
    case user

    package init(_ scope: ProfileEnvelope.Scope) {
        self = scope == .system ? .device : .user
    }
}
