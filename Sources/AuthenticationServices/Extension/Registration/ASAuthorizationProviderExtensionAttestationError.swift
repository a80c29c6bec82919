// SPDX-License-Identifier: Apache-2.0

/// The reason why there are no certificates for a key on Linux. Not part of Apple's API, where the
/// hardware vendor certifies its keys.
public enum ASAuthorizationProviderExtensionAttestationError: Error, LocalizedError, Hashable,
    Sendable
{
    /// The key is in a TPM, which signs a statement and issues no certificates: use
    /// `attestationStatement(ofType:clientDataHash:isPending:)` of the login manager.
    case statementOnly
    /// The key is in a file or on a token, without attestation.
    case notInHardware

    /// The error and the remedy, for a developer.
    public var errorDescription: String? {
        switch self {
        case .statementOnly:
            "The TPM has a statement of this key and no certificates: attestationStatement(ofType:)."
        case .notInHardware: "The key is not in a TPM and has no attestation."
        }
    }
}
