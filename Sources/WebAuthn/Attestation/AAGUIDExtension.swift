// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// `id-fido-gen-ce-aaguid`, 1.3.6.1.4.1.45724.1.1.4 (section 8.2.1): names the model that a
/// certificate attests.
enum AAGUIDExtension {
    private static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]

    /// The extension, if present, must not be critical. It contains the credential's AAGUID in an
    /// OCTET STRING inside the extension's OCTET STRING.
    static func check(
        _ certificate: Certificate, names aaguid: AAGUID
    ) throws(StatementRefusal) {
        guard let found = certificate.extensions[oid: identifier] else { return }
        guard !found.critical else {
            throw StatementRefusal(
                .attestationCertificateInvalid, "the AAGUID extension is critical")
        }
        let named: ASN1OctetString
        do { named = try ASN1OctetString(derEncoded: Array(found.value)) } catch {
            throw StatementRefusal(
                .attestationCertificateInvalid, "the AAGUID extension is not an OCTET STRING")
        }
        guard named.bytes.elementsEqual(aaguid.bytes) else {
            throw StatementRefusal(
                .attestationAAGUIDMismatch, "the certificate is of another model")
        }
    }
}
