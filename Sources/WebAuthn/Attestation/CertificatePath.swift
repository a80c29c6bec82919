// SPDX-License-Identifier: Apache-2.0
import CBOR
import SwiftASN1
import X509

/// Reads `x5c`: the attestation certificate first, then what certifies it, in order.
enum CertificatePath {
    /// More certificates than this are nobody's attestation.
    static let maximumCertificates = 8
    /// The longest certificate that is read, in bytes.
    static let maximumCertificateBytes = 8192

    static func read(_ value: CBORValue) throws(StatementRefusal) -> [AttestationCertificate] {
        guard let items = value.items, !items.isEmpty else {
            throw StatementRefusal(.attestationStatementMalformed, "x5c is no array or empty")
        }
        guard items.count <= maximumCertificates else {
            throw StatementRefusal(.attestationStatementMalformed, "x5c is too long")
        }
        var path: [AttestationCertificate] = []
        for item in items { path.append(try certificate(item)) }
        try checkOrder(path)
        return path
    }

    private static func certificate(
        _ item: CBORValue
    ) throws(StatementRefusal) -> AttestationCertificate {
        guard let bytes = item.byteString, bytes.count <= maximumCertificateBytes else {
            throw StatementRefusal(.attestationStatementMalformed, "x5c holds no byte string")
        }
        do {
            let der = Array(bytes)
            return AttestationCertificate(
                der: der, certificate: try Certificate(derEncoded: der))
        } catch {
            throw StatementRefusal(.attestationCertificateInvalid, "not a certificate: \(error)")
        }
    }

    /// Each certificate is issued by the next. A root has no place here: it is trusted because
    /// the relying party has it, never because it came along.
    private static func checkOrder(
        _ path: [AttestationCertificate]
    ) throws(StatementRefusal) {
        for (subject, issuer) in zip(path, path.dropFirst()) {
            guard subject.certificate.issuer == issuer.certificate.subject else {
                throw StatementRefusal(.attestationCertificateInvalid, "x5c is out of order")
            }
            guard issuer.certificate.issuer != issuer.certificate.subject else {
                throw StatementRefusal(.attestationCertificateInvalid, "x5c holds a root")
            }
        }
    }
}
