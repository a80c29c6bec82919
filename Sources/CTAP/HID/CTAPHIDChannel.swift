// SPDX-License-Identifier: Apache-2.0

/// A channel between one program and one key.
package struct CTAPHIDChannel: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The channel on which a program without a channel requests one.
    package static let broadcast = CTAPHIDChannel(rawValue: 0xFFFF_FFFF)
    /// A reserved value that is not a channel.
    package static let reserved = CTAPHIDChannel(rawValue: 0)
}
