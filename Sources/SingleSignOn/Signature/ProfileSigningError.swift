// SPDX-License-Identifier: Apache-2.0

/// The reason why a profile cannot be signed with a certificate and a key.
package enum ProfileSigningError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No PEM block with a certificate.
    case noCertificate
    /// The key is not a plain P-256 or RSA key; with the reason.
    case key(String)
    /// There is no certificate for that key.
    case keyMismatch
    case failure(String)

    package var description: String {
        switch self {
        case .noCertificate: "there is no certificate in PEM"
        case .key(let reason): "the key cannot sign profiles: \(reason)"
        case .keyMismatch: "none of the certificates belongs to the key"
        case .failure(let reason): "signing failed: \(reason)"
        }
    }
}
