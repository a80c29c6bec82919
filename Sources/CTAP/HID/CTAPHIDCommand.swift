// SPDX-License-Identifier: Apache-2.0

/// A command of CTAPHID (CTAP 2.1 section 11.2.9), seven bits.
package struct CTAPHIDCommand: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt8

    /// The high bit, which marks initialization packets, is not part of the command.
    package init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }

    package static let ping = CTAPHIDCommand(rawValue: 0x01)
    /// A CTAP1/U2F message.
    package static let message = CTAPHIDCommand(rawValue: 0x03)
    package static let lock = CTAPHIDCommand(rawValue: 0x04)
    package static let initialize = CTAPHIDCommand(rawValue: 0x06)
    package static let wink = CTAPHIDCommand(rawValue: 0x08)
    /// A CTAP2 message.
    package static let cbor = CTAPHIDCommand(rawValue: 0x10)
    package static let cancel = CTAPHIDCommand(rawValue: 0x11)
    package static let keepalive = CTAPHIDCommand(rawValue: 0x3B)
    package static let error = CTAPHIDCommand(rawValue: 0x3F)
}
