// SPDX-License-Identifier: Apache-2.0

/// A key that takes the place of another.
package struct KeyRotation: Sendable, Equatable {
    package let role: AgentKeyRole
    package let key: AgentKey
    /// Whether all people share the device's keys.
    package let sharesDeviceKeys: Bool
}
