// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A machine that somebody signs in on, as it concerns them.
package struct PersonDevice: Sendable, Equatable {
    package var device: Device
    package var user: DeviceUser
    /// When the key was registered that the machine holds for them; `nil` when it holds none.
    package var keyMadeAt: Timestamp?

    package init(device: Device, user: DeviceUser, keyMadeAt: Timestamp?) {
        self.device = device
        self.user = user
        self.keyMadeAt = keyMadeAt
    }
}
