// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// Who made a TPM, by a certificate of it.
package struct TPMManufacturer: Sendable, Equatable {
    /// As ``TPMVendors`` has them: `id:` and eight hexadecimal digits in upper case.
    package let vendor: String
    package let model: String
    package let version: String
}

/// What a certificate of an endorsement key says (TCG EK Credential Profile for TPM 2.0, section
/// 3.2), as strict as those are that makers have put into machines: some name a subject, and then
/// their alternative name need not be critical.
enum TPMEndorsementRequirements {
    /// `tcg-kp-EKCertificate`.
    private static let endorsementKey: ASN1ObjectIdentifier = [2, 23, 133, 8, 1]

    /// What is judged here or by the path, and may be critical.
    private static let known: [ASN1ObjectIdentifier] =
        TPMCertificateRequirements.judgedExtensions + [
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
        // RSA keys encipher, others agree; neither signs.
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
    /// Whose TPM the endorsement key belongs to that it certifies.
    ///
    /// - Throws: Why it certifies none. Its signature and period are not looked at.
    package func endorsedTPM() throws(AttestationChainError) -> TPMManufacturer {
        do { return try TPMEndorsementRequirements.check(certificate) } catch {
            throw AttestationChainError(reason: error.reason)
        }
    }
}
