// SPDX-License-Identifier: Apache-2.0
package import PlatformSSO

/// A device that leaves its provider, or one person on it.
package struct Unregistration: Sendable {
    package let configuration: LoginConfiguration
    package let signing: AgentKey
    /// `nil` for the device with all of its people.
    package let loginUserName: String?
}
