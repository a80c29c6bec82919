// SPDX-License-Identifier: Apache-2.0

/// A credential of a person on this device. The PIN exists if the project has PINs, and is the
/// fallback of the others.
public enum Authenticator: Sendable, Hashable, CustomStringConvertible {
    /// The PIN, which the provider alone can tell right from wrong.
    case pin
    /// The key of the installation alone: one factor, also for a person who has found the device.
    case deviceKey
    /// A further key, which the device lets sign after a look or a touch. Two factors.
    case biometric
    /// A passkey of the person's, which the system keeps. Two factors, and no other site's page can
    /// have it.
    case passkey
    /// A further key that a ``UserVerifier`` of the app unlocks. The operator chooses the name: 1
    /// to 64 of `a-z`, `0-9`, `.`, `_` and `-`; the first character is one of `a-z`.
    case custom(String)

    /// The name at the provider; `nil` for the PIN and the sign-in key, which each installation
    /// has.
    var kind: String? {
        switch self {
        case .pin, .deviceKey: nil
        case .biometric: "biometric"
        case .passkey: Self.passkeyKind
        case .custom(let name): name
        }
    }

    /// No name for a custom one.
    static let passkeyKind = "passkey"

    init(kind: String) {
        switch kind {
        case "biometric": self = .biometric
        case Self.passkeyKind: self = .passkey
        default: self = .custom(kind)
        }
    }

    /// A text for logs, without a secret.
    public var description: String {
        switch self {
        case .pin: "pin"
        case .deviceKey: "deviceKey"
        case .biometric, .passkey, .custom: kind ?? ""
        }
    }
}
