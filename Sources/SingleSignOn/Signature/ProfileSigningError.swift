// SPDX-License-Identifier: Apache-2.0

/// Why a profile cannot be signed with a certificate and a key.
package enum ProfileSigningError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No PEM block with a certificate.
    case noCertificate
    /// No plain key on P-256 or of RSA; with the reason.
    case key(String)
    /// No certificate is of that key.
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
