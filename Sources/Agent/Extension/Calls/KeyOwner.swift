// SPDX-License-Identifier: Apache-2.0
import AgentClient

/// The device and the person whose keys a call of an extension concerns.
struct KeyOwner: Sendable, Equatable {
    let owner: DeviceOwner
    /// `nil` while a device is registered.
    let account: String?
}
