// SPDX-License-Identifier: Apache-2.0

/// Who keeps a person's passkeys on this device: the system, behind `SystemPasskeys` of the product
/// `GatehousePasskeys`; a test brings its own.
///
/// A passkey is the person's and not the installation's: it may be on all their devices, and opens
/// the provider's pages as well. It is for the provider's domain, so the app must be one of that
/// domain's (`webcredentials`).
public protocol PasskeyAuthenticator: Sendable {
    /// Whether passkeys can be used on this device now.
    var isAvailable: Bool { get async }

    /// Has the person verify themselves, and makes a passkey.
    ///
    /// - Throws: ``UserVerificationError``.
    func makePasskey(_ request: PasskeyCreationOptions) async throws -> NewPasskey

    /// Has the person choose a passkey and verify themselves, and signs.
    ///
    /// - Throws: ``UserVerificationError``.
    func signature(for request: PasskeyAssertionOptions) async throws -> PasskeySignature
}

/// What a new passkey is to be (WebAuthn Level 3 section 5.4).
public struct PasskeyCreationOptions: Sendable, Hashable {
    /// The provider's domain.
    public let relyingParty: String
    /// To be signed; used once.
    public let challenge: [UInt8]
    /// Whose it will be: comes back with each signature.
    public let userID: [UInt8]
    /// What the person calls their account.
    public let username: String
    /// What they are called.
    public let displayName: String
    /// Passkeys that they have already.
    public let excluded: [[UInt8]]
}

/// What a passkey is to sign (WebAuthn Level 3 section 5.5).
public struct PasskeyAssertionOptions: Sendable, Hashable {
    /// The provider's domain.
    public let relyingParty: String
    /// To be signed; used once.
    public let challenge: [UInt8]
    /// Those that will do; empty for any of that domain.
    public let allowed: [[UInt8]]
}

/// A passkey that was made.
public struct NewPasskey: Sendable, Hashable {
    /// Its name among all passkeys.
    public let credentialID: [UInt8]
    /// As they were hashed.
    public let clientDataJSON: [UInt8]
    /// CBOR.
    public let attestationObject: [UInt8]
    /// How it can be reached: `internal`, `usb`, `nfc` …
    public let transports: [String]

    /// What an authenticator said.
    public init(
        credentialID: [UInt8], clientDataJSON: [UInt8], attestationObject: [UInt8],
        transports: [String] = ["internal"]
    ) {
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
        self.transports = transports
    }
}

/// What a passkey has signed.
public struct PasskeySignature: Sendable, Hashable {
    /// Which one has.
    public let credentialID: [UInt8]
    /// As they were hashed.
    public let clientDataJSON: [UInt8]
    /// What the authenticator says of itself and of the person.
    public let authenticatorData: [UInt8]
    /// Over both.
    public let signature: [UInt8]
    /// Whose it is.
    public let userID: [UInt8]

    /// What an authenticator said.
    public init(
        credentialID: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8],
        signature: [UInt8], userID: [UInt8]
    ) {
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userID = userID
    }
}
