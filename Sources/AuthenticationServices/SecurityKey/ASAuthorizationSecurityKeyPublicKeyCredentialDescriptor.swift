// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Names a credential on a security key.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor: NSObject,
    ASAuthorizationPublicKeyCredentialDescriptor
{
    /// The transport of a security key.
    public struct Transport: RawRepresentable, Hashable, Sendable {
        /// As WebAuthn spells it (section 5.8.4).
        public let rawValue: String

        /// - Parameter rawValue: as WebAuthn spells it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// - Parameter rawValue: as WebAuthn spells it.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Plugged in.
        public static let usb = Self("usb")
        /// Held to a reader.
        public static let nfc = Self("nfc")
        /// Bluetooth Low Energy, which nothing here speaks.
        public static let bluetooth = Self("ble")
        /// Those that this system can reach.
        public static var allSupported: [Self] { [.usb, .nfc] }
    }

    /// The identifier that the credential got at its registration.
    public var credentialID: Data
    /// The possible transports of the key; a hint.
    public var transports: [Transport]

    /// Names a credential.
    public init(credentialID: Data, transports: [Transport]) {
        self.credentialID = credentialID
        self.transports = transports
    }

    /// From an archive.
    public init?(coder: NSCoder) {
        guard let id = coder.bytes(.credentialID) else { return nil }
        credentialID = id
        transports = coder.texts(.transports).map { Transport($0) }
    }
}
