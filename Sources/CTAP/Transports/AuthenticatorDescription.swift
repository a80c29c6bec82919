// SPDX-License-Identifier: Apache-2.0

/// The properties of an authenticator that are known before it is opened.
package struct AuthenticatorDescription: Sendable, Hashable {
    /// The transport of the authenticator.
    package enum Kind: String, Sendable {
        case usb
        case nfc
        /// A pseudo-terminal or a Unix socket: emulators and tests.
        case stream
    }

    /// Distinct among those that are connected: a device path or a reader's name.
    package let id: String
    package let kind: Kind
    /// The name that the device reports, for display. It contains only printable ASCII, because the
    /// device is not trusted.
    package let name: String

    package init(id: String, kind: Kind, name: String) {
        self.id = id
        self.kind = kind
        let letters = name.unicodeScalars.prefix(64).filter { 0x20...0x7E ~= $0.value }
        self.name = letters.isEmpty ? id : String(String.UnicodeScalarView(letters))
    }

    /// The transport's name in WebAuthn (section 5.8.4).
    package var transport: String { kind == .nfc ? "nfc" : "usb" }
}
