// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// The manufacturer of a TPM, from one of its certificates.
package struct TPMManufacturer: Sendable, Equatable {
    /// In the form of ``TPMVendors``: `id:` and eight hexadecimal digits in upper case.
    package let vendor: String
    package let model: String
    package let version: String
}

/// The requirements for a certificate of an endorsement key (TCG EK Credential Profile for TPM 2.0,
/// section 3.2).
///
/// They are relaxed as far as certificates of existing devices need it: some have a subject, and
/// their alternative name is then not critical.
enum TPMEndorsementRequirements {
    /// `tcg-kp-EKCertificate`.
    private static let endorsementKey: ASN1ObjectIdentifier = [2, 23, 133, 8, 1]

    /// Extensions that are verified here or by the path, and may be critical.
    private static let known: [ASN1ObjectIdentifier] =
        TPMCertificateRequirements.verifiedExtensions + [
            .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
        ]

    static func check(_ certificate: Certificate) throws(StatementRefusal) -> TPMManufacturer {
        guard certificate.version == .v3 else { throw refusal("not of version 3") }
        guard certificate.extensions.allSatisfy({ !$0.critical || known.contains($0.oid) }) else {
            throw refusal("an unknown extension is critical")
        }
        let maker = try TPMCertificateRequirements.device(of: certificate)
        let usages: ExtendedKeyUsage?
        let usage: KeyUsage?
        let constraints: BasicConstraints?
        do {
            usages = try certificate.extensions.extendedKeyUsage
            usage = try certificate.extensions.keyUsage
            constraints = try certificate.extensions.basicConstraints
        } catch { throw refusal("an extension cannot be read") }
        guard usages?.contains(.init(oid: endorsementKey)) == true else {
            throw refusal("not for endorsement keys")
        }
        guard (constraints ?? .notCertificateAuthority) == .notCertificateAuthority else {
            throw refusal("it is of a CA")
        }
        // RSA keys encipher, EC keys agree; neither signs.
        guard usage.map({ $0.keyEncipherment || $0.keyAgreement }) ?? true else {
            throw refusal("the key usage is not that of an endorsement key")
        }
        return maker
    }

    private static func refusal(_ reason: String) -> StatementRefusal {
        StatementRefusal(.attestationCertificateInvalid, reason)
    }
}

extension AttestationCertificate {
    /// Returns the manufacturer of the TPM whose endorsement key the certificate certifies.
    ///
    /// - Throws: The reason why it is not an endorsement certificate. Its signature and period are
    ///   not checked.
    package func endorsedTPM() throws(AttestationChainError) -> TPMManufacturer {
        do { return try TPMEndorsementRequirements.check(certificate) } catch {
            throw AttestationChainError(reason: error.reason)
        }
    }
}
