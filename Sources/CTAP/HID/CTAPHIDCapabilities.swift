// SPDX-License-Identifier: Apache-2.0

/// The capabilities of a key on this transport (section 11.2.9.1.3).
package struct CTAPHIDCapabilities: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let wink = CTAPHIDCapabilities(rawValue: 0x01)
    package static let cbor = CTAPHIDCapabilities(rawValue: 0x04)
    /// The key does not support CTAP1/U2F messages.
    package static let noMessages = CTAPHIDCapabilities(rawValue: 0x08)
}
