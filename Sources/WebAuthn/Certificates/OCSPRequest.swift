// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import SwiftASN1
import X509

/// An OCSP request for one certificate (RFC 6960 section 4.1).
///
/// The certificate's identifier is hashed with SHA-1, which every responder supports. The hashes
/// identify the certificate and protect nothing.
package struct OCSPRequest: Sendable {
    /// `CertID`, DER.
    package let certificateID: [UInt8]
    /// The accepted identifiers of the certificate in responses: with this hash or another, and
    /// with parameters `NULL` or absent. A response to another request is equally valid.
    let names: Set<[UInt8]>

    package init(_ certificate: AttestationCertificate, issuer: AttestationCertificate) {
        var serializer = DER.Serializer()
        let hasName = (try? serializer.serialize(issuer.certificate.subject)) != nil
        let name = hasName ? serializer.serializedBytes : []
        let key = Array(issuer.certificate.publicKey.subjectPublicKeyInfoBytes)
        let serial = DERWriter.element(0x02, certificate.serialOctets)
        func certificateID(_ hash: Hash, _ parameters: [[UInt8]]) -> [UInt8] {
            DERWriter.sequence([
                DERWriter.sequence([DERWriter.objectIdentifier(hash.identifier)] + parameters),
                DERWriter.element(0x04, hash.digest(name)),
                DERWriter.element(0x04, hash.digest(key)), serial,
            ])
        }
        let null = [DERWriter.element(0x05, [])]
        self.certificateID = certificateID(.sha1, null)
        names = Set(
            Hash.allCases.flatMap { [certificateID($0, null), certificateID($0, [])] })
    }

    /// `OCSPRequest`, unsigned, for this certificate. It has no nonce: responses are made in
    /// advance and cached until their `nextUpdate`, and they contain their time.
    package var encoded: [UInt8] {
        let requests = DERWriter.sequence([DERWriter.sequence([certificateID])])
        return DERWriter.sequence([DERWriter.sequence([requests])])
    }

    package static let requestType = "application/ocsp-request"

    /// With which the names of issuer and key are hashed.
    private enum Hash: CaseIterable {
        case sha1, sha256, sha384, sha512

        var identifier: [UInt64] {
            switch self {
            case .sha1: [1, 3, 14, 3, 2, 26]
            case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
            case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
            case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
            }
        }

        func digest(_ bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .sha1: Array(Insecure.SHA1.hash(data: bytes))
            case .sha256: Array(SHA256.hash(data: bytes))
            case .sha384: Array(SHA384.hash(data: bytes))
            case .sha512: Array(SHA512.hash(data: bytes))
            }
        }
    }
}
