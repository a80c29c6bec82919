// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The properties of a software key.
package struct AuthenticatorConfiguration: Sendable {
    /// The built-in user verification of the key.
    package enum BuiltInVerification: Sendable {
        case none
        /// A sensor whose samples the ``UserGesture`` supplies. It verifies if a fingerprint is
        /// enrolled.
        case fingerprint
        /// The platform verifies (a lock screen) and is always ready.
        case platform
    }

    /// The attestation of new credentials.
    package enum Attestation: Sendable {
        /// Signed by the credential itself. A certificate would let relying parties correlate the
        /// credentials of one key.
        case ownKey
        /// Signed by the key's attestation key, with its certificate.
        case certificate
        case none
    }

    /// The model of Gatehouse: `1d8a4c0e-5f0b-4e63-9d2c-6761746b6579`. All software keys have this
    /// value, so it identifies none of them.
    package static let softwareKeyModel: [UInt8] = [
        0x1D, 0x8A, 0x4C, 0x0E, 0x5F, 0x0B, 0x4E, 0x63, 0x9D, 0x2C, 0x67, 0x61, 0x74, 0x6B, 0x65,
        0x79,
    ]

    /// 16 bytes.
    package var aaguid: [UInt8] = AuthenticatorConfiguration.softwareKeyModel
    package var firmwareVersion: UInt64 = 1
    package var transports = ["usb"]
    /// Whether the key is part of the computer (`plat`).
    package var isPlatform = false
    package var verification = BuiltInVerification.none
    package var attestation = Attestation.ownKey
    /// The RP IDs that receive enterprise attestation without a request of the platform; `nil` if
    /// the key has no enterprise attestation.
    package var enterpriseRPIDs: [String]?
    /// Whether the key supports CTAP1.
    package var speaksU2F = true
    /// Whether the preview commands of CTAP 2.0 (0x40, 0x41) are supported: Debian's libfido2 sends
    /// only these.
    package var knowsPreviewCommands = true
    /// In bytes. Debian's libfido2 supports no larger message.
    package var maximumMessageSize = 2048
    package var maximumDiscoverableCredentials = 100
    package var maximumCredentialCountInList = 16
    package var maximumLargeBlobArray = 4096
    package var maximumCredentialBlob = 64
    package var maximumMinPINLengthRPIDs = 8
    package var maximumFingerprints = 5
    package var samplesPerFingerprint = 3
    /// The time after power-up in which a reset is allowed; `nil` for no limit (CTAP 2.1 section
    /// 6.6).
    package var resetWindow: TimeSpan? = .seconds(10)
    /// The faults of a broken or malicious key. Tests only.
    package var misbehaviour: Set<FaultInjection> = []

    /// A roaming key.
    package init() {}

    /// A key that is part of the computer and verifies the person itself.
    package static var platform: AuthenticatorConfiguration {
        var configuration = AuthenticatorConfiguration()
        configuration.transports = ["internal"]
        configuration.isPlatform = true
        configuration.verification = .platform
        configuration.resetWindow = nil
        return configuration
    }
}
