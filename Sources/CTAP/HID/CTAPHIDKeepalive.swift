// SPDX-License-Identifier: Apache-2.0

/// The status in a keep-alive (section 11.2.9.2.3).
package enum CTAPHIDKeepalive: UInt8, Sendable, Hashable {
    case processing = 1
    /// The key waits for a touch.
    case userPresenceNeeded = 2
}
