// SPDX-License-Identifier: Apache-2.0

/// The owner of device keys: all people together (`UseSharedDeviceKeys`), or one person.
package enum DeviceOwner: Sendable, Hashable {
    case everyone
    case person(String)
}
