// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import SwiftASN1
import X509

/// A certificate beside the DER that it was read from.
///
/// Rooms above see X.509 through this face alone: no type of swift-certificates is in it
/// (docs/decisions/0002, 0011).
package struct AttestationCertificate: Sendable {
    package let der: [UInt8]
    let certificate: Certificate

    /// The longest certificate that is read, in bytes.
    package static let maximumBytes = 8192

    /// Whether it names itself as its issuer, as roots do.
    package var isSelfIssued: Bool { certificate.issuer == certificate.subject }

    /// Big-endian, without leading zeros; at least one byte.
    package var serialNumber: [UInt8] {
        let bytes = certificate.serialNumber.bytes.drop { $0 == 0 }
        return bytes.isEmpty ? [0] : Array(bytes)
    }

    /// The key that it certifies, or `nil` when that is of a kind that no device key has here.
    package var publicKey: PublicJWK? { PublicJWK(certificate.publicKey) }

    /// Whether `now` is inside its validity period.
    package func isValid(at now: Timestamp) -> Bool {
        guard let date = now.validationDate else { return false }
        return certificate.notValidBefore <= date && date <= certificate.notValidAfter
    }

    /// Whether `issuer` is named as its issuer and its key has signed it.
    package func isIssued(by issuer: AttestationCertificate) -> Bool {
        certificate.issuer == issuer.certificate.subject
            && issuer.certificate.publicKey.isValidSignature(
                certificate.signature, for: certificate)
    }

    /// Whether it may sign certificates (RFC 5280 sections 4.2.1.9 and 4.2.1.3): of version 3,
    /// a CA by its basic constraints, and by its key usage when it has one.
    package var isAuthority: Bool {
        guard certificate.version == .v3,
            case .isCertificateAuthority? = try? certificate.extensions.basicConstraints
        else { return false }
        do { return try certificate.extensions.keyUsage?.keyCertSign ?? true } catch {
            return false
        }
    }

    /// The value of an extension: what stands inside its OCTET STRING.
    ///
    /// - Parameter identifier: In dots, `1.2.840.113635.100.8.2`.
    package func extensionValue(_ identifier: String) -> ArraySlice<UInt8>? {
        guard let identifier = try? ASN1ObjectIdentifier(dotRepresentation: identifier) else {
            return nil
        }
        return certificate.extensions[oid: identifier]?.value
    }
}

extension AttestationCertificate {
    /// What makes it no certificate of a TPM's attestation identity key (WebAuthn section 8.3.1),
    /// or `nil` when it is one.
    ///
    /// - Parameter vendors: The manufacturers that are accepted; `nil` accepts any.
    package func identityKeyFault(vendors: Set<String>?) -> String? {
        do throws(StatementRefusal) {
            try TPMCertificateRequirements.check(certificate, vendors: vendors)
            return nil
        } catch { return error.reason }
    }

    /// The critical extensions that ``identityKeyFault(vendors:)`` has judged, in dots.
    package static let identityKeyExtensions = TPMCertificateRequirements.judgedExtensions.map {
        "\($0)"
    }
}
