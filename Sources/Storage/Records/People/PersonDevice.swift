// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A device with a person's registration on it.
package struct PersonDevice: Sendable, Equatable {
    package var device: Device
    package var user: DeviceUser
    /// The registration time of the person's key on the device; `nil` if there is none.
    package var keyMadeAt: Timestamp?

    package init(device: Device, user: DeviceUser, keyMadeAt: Timestamp?) {
        self.device = device
        self.user = user
        self.keyMadeAt = keyMadeAt
    }
}
