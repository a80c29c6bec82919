// SPDX-License-Identifier: Apache-2.0

/// The source of a person's passkeys on this device: the system, through `SystemPasskeys` of the
/// product `GatehousePasskeys`, or a replacement in tests.
///
/// A passkey is the person's and not the installation's: it may be on all their devices, and opens
/// the provider's pages as well. It is for the provider's domain, so the app must be one of that
/// domain's (`webcredentials`).
public protocol PasskeyAuthenticator: Sendable {
    /// Whether passkeys can be used on this device now.
    var isAvailable: Bool { get async }

    /// Verifies the person, and creates a passkey.
    ///
    /// - Throws: ``UserVerificationError``.
    func makePasskey(_ request: PasskeyCreationOptions) async throws -> NewPasskey

    /// Has the person choose a passkey, verifies the person, and signs.
    ///
    /// - Throws: ``UserVerificationError``.
    func signature(for request: PasskeyAssertionOptions) async throws -> PasskeySignature
}

/// The parameters of a new passkey (WebAuthn Level 3 section 5.4).
public struct PasskeyCreationOptions: Sendable, Hashable {
    /// The provider's domain.
    public let relyingParty: String
    /// A single-use value to sign.
    public let challenge: [UInt8]
    /// The user handle. Each signature contains it.
    public let userID: [UInt8]
    /// The username of the account.
    public let username: String
    /// The person's display name.
    public let displayName: String
    /// Passkeys that they have already.
    public let excluded: [[UInt8]]
}

/// The parameters of a passkey signature (WebAuthn Level 3 section 5.5).
public struct PasskeyAssertionOptions: Sendable, Hashable {
    /// The provider's domain.
    public let relyingParty: String
    /// A single-use value to sign.
    public let challenge: [UInt8]
    /// The accepted credential IDs; empty for all of that domain.
    public let allowed: [[UInt8]]
}

/// A passkey that was made.
public struct NewPasskey: Sendable, Hashable {
    /// Its name among all passkeys.
    public let credentialID: [UInt8]
    /// The client data, exactly as hashed.
    public let clientDataJSON: [UInt8]
    /// CBOR.
    public let attestationObject: [UInt8]
    /// The transports: `internal`, `usb`, `nfc` …
    public let transports: [String]

    /// Creates a value from the response of an authenticator.
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

/// The signature of a passkey.
public struct PasskeySignature: Sendable, Hashable {
    /// Which one has.
    public let credentialID: [UInt8]
    /// The client data, exactly as hashed.
    public let clientDataJSON: [UInt8]
    /// The authenticator data: flags and counter.
    public let authenticatorData: [UInt8]
    /// Over both.
    public let signature: [UInt8]
    /// The user handle.
    public let userID: [UInt8]

    /// Creates a value from the response of an authenticator.
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
