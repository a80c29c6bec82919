// SPDX-License-Identifier: Apache-2.0

/// Something that shows that it is the person. A PIN is always there when the project has them, and
/// what everything falls back to.
public enum Authenticator: Sendable, Hashable, CustomStringConvertible {
    /// The PIN, which the provider alone can tell right from wrong.
    case pin
    /// The installation's key alone: one factor, and whoever's who found the device.
    case deviceKey
    /// A further key, which the device lets sign after a look or a touch. Two factors.
    case biometric
    /// A passkey of the person's, which the system keeps. Two factors, and no other site's page can
    /// have it.
    case passkey
    /// A further key, which a ``UserVerifier`` of the app's lets sign. The name is the operator's:
    /// 1 to 64 of `a-z`, `0-9`, `.`, `_` and `-`, beginning with a letter.
    case custom(String)

    /// What the provider calls it; `nil` for what every installation has anyhow.
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

    /// For a log; holds no secret.
    public var description: String {
        switch self {
        case .pin: "pin"
        case .deviceKey: "deviceKey"
        case .biometric, .passkey, .custom: kind ?? ""
        }
    }
}

/// Which authenticators are meant.
public enum AuthenticatorFilter: Sendable, Hashable {
    /// Those with which the profile can sign in; the preferred one first.
    case registered
    /// Those that could be added here.
    case available
}

/// A further authenticator of a profile, as it is stored.
struct StoredAuthenticator: Sendable, Equatable {
    /// What the provider calls the kind.
    var kind: String
    /// What the provider calls this one.
    var id: String
    /// Of the verifier's keys.
    var key: RecordName
    /// `kid` at the provider.
    var keyID: String

    var authenticator: Authenticator { Authenticator(kind: kind) }
}
