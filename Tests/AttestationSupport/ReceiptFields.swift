// SPDX-License-Identifier: Apache-2.0
import Crypto
import X509

/// The fields of a receipt; right unless changed.
package struct ReceiptFields {
    package var application = AppAttestation.application
    package var certificate: [UInt8]?
    package var clientHash: [UInt8]?
    package var type = "ATTEST"
    package var environment = "sandbox"
    package var created = "2027-01-15T08:00:00.000Z"
    package var expires = "2027-04-15T08:00:00.000Z"
    /// Fields by number, besides or in place of those above.
    package var others: [(UInt8, [UInt8])] = []
    /// Fields that are left out.
    package var without: Set<UInt8> = []
    package var contentType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]

    package init() {}

    private func field(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        der([0x30], der([0x02], [number]) + der([0x02], [1]) + der([0x04], value))
    }

    package var payload: [UInt8] {
        let usual: [(UInt8, [UInt8])] = [
            (2, Array(application.utf8)), (3, certificate ?? []),
            (4, clientHash ?? SampleEvidence.challenge),
            (6, Array(type.utf8)), (7, Array(environment.utf8)), (12, Array(created.utf8)),
            (21, Array(expires.utf8)),
        ]
        let fields = usual.filter { !without.contains($0.0) } + others
        return der([0x31], fields.flatMap { field($0.0, $0.1) })
    }

    // MARK: The signature

    /// Extensions of the certificate that signs; Apple's mark unless changed.
    package var marks = ["1.2.840.113635.100.12.15"]
    /// In place of the payload, under the signature.
    package var signedBytes: [UInt8]?
    /// Whether root, intermediate and leaf come along.
    package var hasCertificates = true
    /// Octets between the digest and the signature algorithm: signed attributes.
    package var attributes: [UInt8] = []
    /// How many signers there are.
    package var signers = 1

    /// As Apple writes it: lengths left open, the payload in two pieces; no signer.
    package var pkcs7: [UInt8] { container(certificates: [], signers: []) }

    /// With a signer below the root of `authority`.
    package func signed(by authority: AttestationAuthority) throws -> [UInt8] {
        var leaf = AttestationAuthority.Leaf()
        leaf.extensions = try marks.map { try Certificate.Extension($0, [0x05, 0x00]) }
        let issued = try authority.issue(leaf)
        let path = [try authority.root.der, try authority.intermediate.der, try issued.der]
        let info = try signerInfo(issued)
        return container(
            certificates: hasCertificates ? path.flatMap { $0 } : [],
            signers: Array(repeatElement(info, count: signers).joined()))
    }

    /// `SignerInfo` (RFC 5652 section 5.3).
    private func signerInfo(_ issued: AttestationAuthority.Issued) throws -> [UInt8] {
        let name = try AttestationAuthority.encoded(issued.certificate.issuer)
        let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        let ecdsa: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
        let signature = try issued.key.signature(for: signedBytes ?? payload).derRepresentation
        return der(
            [0x30],
            der([0x02], [1]) + der([0x30], name + der([0x02], issued.serialNumber))
                + der([0x30], der([0x06], sha256) + [0x05, 0x00]) + attributes
                + der([0x30], der([0x06], ecdsa)) + der([0x04], Array(signature)))
    }

    private func container(certificates: [UInt8], signers: [UInt8]) -> [UInt8] {
        let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        let (first, second) = (Array(payload.prefix(40)), Array(payload.dropFirst(40)))
        let pieces = open([0x24], der([0x04], first) + der([0x04], second))
        let content = open([0x30], der([0x06], contentType) + open([0xA0], pieces))
        let parts =
            der([0x02], [1]) + der([0x31], []) + content
            + (certificates.isEmpty ? [] : open([0xA0], certificates)) + der([0x31], signers)
        return open([0x30], der([0x06], signedData) + open([0xA0], open([0x30], parts)))
    }

    private func open(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
        tag + [0x80] + content + [0, 0]
    }
}
