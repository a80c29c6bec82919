// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import SwiftASN1
import X509

/// What a responder is asked of one certificate (RFC 6960 section 4.1): its name there, hashed with
/// SHA-1 as every responder understands it. The hashes name, they protect nothing.
package struct StatusQuestion: Sendable {
    /// `CertID`, DER.
    package let certificateID: [UInt8]

    package init(_ certificate: AttestationCertificate, issuer: AttestationCertificate) {
        var serializer = DER.Serializer()
        let hasName = (try? serializer.serialize(issuer.certificate.subject)) != nil
        let name = hasName ? serializer.serializedBytes : []
        let algorithm = DERWriter.sequence([
            DERWriter.objectIdentifier([1, 3, 14, 3, 2, 26]), DERWriter.element(0x05, []),
        ])
        certificateID = DERWriter.sequence([
            algorithm,
            DERWriter.element(0x04, Array(Insecure.SHA1.hash(data: name))),
            DERWriter.element(0x04, issuer.keyIdentifier),
            DERWriter.integer(Array(certificate.certificate.serialNumber.bytes)),
        ])
    }

    /// `OCSPRequest`, unsigned, for this one. It has no nonce: answers are made beforehand and kept
    /// until their `nextUpdate`, and their time says how old they are.
    package var encoded: [UInt8] {
        let requests = DERWriter.sequence([DERWriter.sequence([certificateID])])
        return DERWriter.sequence([DERWriter.sequence([requests])])
    }

    package static let requestType = "application/ocsp-request"
}
