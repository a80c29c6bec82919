// SPDX-License-Identifier: Apache-2.0
import Primitives
import WebAuthn

/// A receipt of App Attest: CMS `SignedData` (RFC 5652 section 5.1), decoded.
/// ``verify(roots:now:)`` verifies Apple's signature.
struct SignedReceipt: Sendable {
    /// The SET of fields.
    let payload: ArraySlice<UInt8>
    /// DER, in the order of the message.
    private let certificates: [[UInt8]]
    private let signer: ReceiptSigner?

    /// The maximum size of a receipt, in bytes.
    private static let maximumBytes = 32_768
    /// The maximum length of Apple's chain.
    private static let maximumCertificates = 8
    /// Apple's extension in certificates that sign receipts. Apple Root CA - G3 also certifies
    /// others, including developers' keys.
    private static let mark = "1.2.840.113635.100.12.15"

    /// Reads BER, in which strings may be segmented.
    init(pkcs7 bytes: [UInt8]) throws(AttestationRefusal) {
        guard bytes.count <= Self.maximumBytes else { throw Self.malformed("too long") }
        guard let signed = (try? ASN1Element(bytes[...], rules: .ber))?.sequence,
            signed.count == 2, signed[0].objectIdentifier == "1.2.840.113549.1.7.2",
            // version, digests, content, certificates?, lists?, signers
            let parts = signed[1].explicit(0)?.sequence, parts.count >= 4,
            let content = parts[2].sequence, content.count == 2,
            content[0].objectIdentifier == "1.2.840.113549.1.7.1",
            let payload = content[1].explicit(0)?.octets, let signers = parts.last?.set
        else { throw Self.malformed("no signed data") }
        self.payload = payload
        certificates = (parts[3].implicit(0) ?? []).map { Array($0.encodedBytes) }
        signer = signers.count == 1 ? ReceiptSigner(signers[0]) : nil
    }

    /// Verifies Apple's signature: the signature itself, the chain to one of the roots, and Apple's
    /// extension in the certificate.
    func verify(roots: RootKeys, now: Timestamp) async throws(AttestationRefusal) {
        guard let signer else { throw Self.untrusted("not exactly one signer that can be read") }
        let chain = try chain(of: signer)
        if let reason = await chain.refusal(roots: roots, now: now) {
            throw Self.untrusted(reason)
        }
        guard chain.leaf.extensionValue(Self.mark) != nil else {
            throw Self.untrusted("the certificate is not one that signs receipts")
        }
        guard let key = chain.leaf.publicKey,
            let check = COSESignatureVerifier(key, algorithm: .es256),
            check.isValid(signature: signer.signature, over: payload, [])
        else { throw Self.untrusted("the signature is not by the certificate") }
    }

    /// Returns the signer's certificate and its issuers.
    private func chain(of signer: ReceiptSigner) throws(AttestationRefusal) -> AttestationChain {
        guard certificates.count <= Self.maximumCertificates else {
            throw Self.untrusted("too many certificates")
        }
        var rest = certificates.compactMap { CertificateNames($0) }
        guard let own = rest.firstIndex(where: { signer.isNamed(in: $0) }) else {
            throw Self.untrusted("the signer's certificate is missing")
        }
        var path = [rest.remove(at: own)]
        while let issuer = path.last?.issuer,
            let next = rest.firstIndex(where: { $0.subject == issuer })
        {
            path.append(rest.remove(at: next))
        }
        do { return try AttestationChain(der: path.map(\.der)) } catch {
            throw Self.untrusted(error.reason)
        }
    }

    static func malformed(_ reason: String) -> AttestationRefusal {
        AttestationRefusal(.receiptMalformed, "receipt: \(reason)")
    }

    private static func untrusted(_ reason: String) -> AttestationRefusal {
        AttestationRefusal(.receiptUntrusted, "receipt: \(reason)")
    }
}

/// `SignerInfo` (RFC 5652 section 5.3) in Apple's form: identified by issuer and serial number,
/// ECDSA with SHA-256 over the content itself, no signed attributes.
private struct ReceiptSigner: Sendable {
    private let issuer: ArraySlice<UInt8>
    private let serialNumber: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>

    init?(_ element: ASN1Element) {
        // version, name, digest, signature algorithm, signature
        guard let parts = element.sequence, parts.count == 5, parts[0].integer == 1,
            let name = parts[1].sequence, name.count == 2,
            parts[2].sequence?.first?.objectIdentifier == "2.16.840.1.101.3.4.2.1",
            parts[3].sequence?.first?.objectIdentifier == "1.2.840.10045.4.3.2",
            let signature = parts[4].octets
        else { return nil }
        issuer = name[0].encodedBytes
        serialNumber = name[1].encodedBytes
        self.signature = signature
    }

    func isNamed(in certificate: CertificateNames) -> Bool {
        issuer == certificate.issuer && serialNumber == certificate.serialNumber
    }
}

/// The encoded identifiers of a certificate of version 3 (RFC 5280 section 4.1).
private struct CertificateNames: Sendable {
    let der: [UInt8]
    let serialNumber: ArraySlice<UInt8>
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>

    init?(_ der: [UInt8]) {
        // version, serialNumber, signature, issuer, validity, subject, …
        guard let parts = (try? ASN1Element(der[...]))?.sequence?.first?.sequence,
            parts.count >= 6, parts[0].explicit(0) != nil
        else { return nil }
        self.der = der
        serialNumber = parts[1].encodedBytes
        issuer = parts[3].encodedBytes
        subject = parts[5].encodedBytes
    }
}
