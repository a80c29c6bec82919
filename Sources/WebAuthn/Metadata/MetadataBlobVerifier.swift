// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import JOSE
package import Primitives
import X509

/// Verifies metadata BLOBs: the processing rules of FIDO Metadata Service 3.1.1 section 3.2.
package struct MetadataBlobVerifier: Sendable {
    /// The certificate that may sign. The root of the FIDO Alliance's service is a public one that
    /// certifies many web servers, so the name is checked as well.
    package enum Signer: Sendable, Equatable {
        /// A DNS name in the subject alternative names, or else the common name.
        case named(String)
        /// Any certificate that the root certifies: for roots that certify only metadata signers.
        case anyone
    }

    /// The longest BLOB that is read, in bytes. The one of November 2026 has about 10 million.
    package static let maximumBytes = 64 << 20
    /// The maximum length of a certificate chain.
    static let maximumCertificates = 8

    let anchors: TrustAnchors
    let signer: Signer
    let revocation: MetadataRevocation
    /// How long after `nextUpdate` a BLOB is still accepted; `nil` means without limit.
    let grace: TimeSpan?

    /// - Throws: `revocationListInvalid`.
    package init(
        anchors: TrustAnchors, signer: Signer, revocationLists: [[UInt8]] = [],
        revocationRequired: Bool = false, grace: TimeSpan? = nil
    ) throws(MetadataRefusal) {
        self.anchors = anchors
        self.signer = signer
        self.grace = grace
        revocation = try MetadataRevocation(lists: revocationLists, isRequired: revocationRequired)
    }

    /// - Parameters:
    ///   - bytes: The compact JWS; white space at its end is ignored.
    ///   - previous: The number of the BLOB that this one is to replace.
    package func verify(
        _ bytes: [UInt8], replacing previous: Int64? = nil, now: Timestamp
    ) async throws(MetadataRefusal) -> MetadataBlob {
        guard bytes.count <= Self.maximumBytes else {
            throw MetadataRefusal(.tooLarge, "\(bytes.count) bytes")
        }
        let jws = try Self.parse(bytes)
        let chain = try await chain(of: jws.header, now: now)
        try check(signerOf: chain)
        try revocation.check(chain, now: now)
        let blob = try MetadataBlob(payload: Self.verified(jws, by: chain).payload)
        if let previous, blob.number < previous {
            throw MetadataRefusal(.rolledBack, "\(blob.number) after \(previous)")
        }
        if let grace, now > blob.nextUpdate + grace {
            throw MetadataRefusal(.outdated, "the next one is overdue")
        }
        return blob
    }

    static func parse(_ bytes: [UInt8]) throws(MetadataRefusal) -> UnverifiedJWS {
        let end = bytes.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        do {
            return try UnverifiedJWS(
                compact: Array(bytes[..<(end.map { $0 + 1 } ?? 0)]), maximumBytes: maximumBytes)
        } catch { throw MetadataRefusal(.malformed, "\(error)") }
    }

    // MARK: The certificate

    private func chain(
        of header: JOSEHeader, now: Timestamp
    ) async throws(MetadataRefusal) -> [AttestationCertificate] {
        // A message must not choose its own trust; `x5u` would also cause an outgoing request.
        guard header.members["x5u"] == nil, header.members["jku"] == nil,
            header.members["jwk"] == nil
        else { throw MetadataRefusal(.addressNotAllowed, "x5u, jku or jwk is present") }
        guard let texts = header.members["x5c"]?.strings, !texts.isEmpty,
            texts.count <= Self.maximumCertificates
        else { throw MetadataRefusal(.certificateInvalid, "x5c is not a short list of strings") }
        var path: [AttestationCertificate] = []
        for text in texts { path.append(try Self.certificate(text)) }
        return try await MetadataChain(anchors: anchors).validate(path, now: now)
    }

    static func certificate(
        _ text: String
    ) throws(MetadataRefusal) -> AttestationCertificate {
        guard let der = Base64.decode(text) else {
            throw MetadataRefusal(.certificateInvalid, "x5c is not Base64")
        }
        do {
            return try AttestationCertificate(der: der)
        } catch { throw MetadataRefusal(.certificateInvalid, "\(error)") }
    }

    private func check(signerOf chain: [AttestationCertificate]) throws(MetadataRefusal) {
        guard case .named(let name) = signer else { return }
        let names = chain.first.map { MetadataChain.names(of: $0.certificate) }
        guard names?.contains(name) == true else {
            throw MetadataRefusal(.signerUnknown, "the certificate is not for \(name)")
        }
    }

    // MARK: The signature

    private static func verified(
        _ jws: UnverifiedJWS, by chain: [AttestationCertificate]
    ) throws(MetadataRefusal) -> VerifiedJWS {
        guard let key = chain.first?.certificate.publicKey else {
            throw MetadataRefusal(.certificateInvalid, "x5c is empty")
        }
        let verifier = try JWSVerifier(certificateKey: key)
        do { return try verifier.verify(jws) } catch {
            switch error.code {
            case .signatureInvalid: throw MetadataRefusal(.signatureInvalid, "\(error)")
            default: throw MetadataRefusal(.algorithmNotAllowed, "\(error)")
            }
        }
    }
}

extension JWSVerifier {
    /// The algorithms that the key of a certificate can be used with, and no other.
    fileprivate init(certificateKey key: Certificate.PublicKey) throws(MetadataRefusal) {
        do {
            if let key = P256.Signing.PublicKey(key) {
                try self.init(.p256, key.rawRepresentation, [.es256])
            } else if let key = P384.Signing.PublicKey(key) {
                try self.init(.p384, key.rawRepresentation, [.es384])
            } else if let key = P521.Signing.PublicKey(key) {
                try self.init(.p521, key.rawRepresentation, [.es512])
            } else if let key = Curve25519.Signing.PublicKey(key) {
                try self.init(
                    .octetKeyPair(.ed25519, x: Array(key.rawRepresentation)), [.edDSA])
            } else if let key = _RSA.Signing.PublicKey(key) {
                let numbers = try key.getKeyPrimitives()
                try self.init(
                    .rsa(n: Array(numbers.modulus), e: Array(numbers.publicExponent)),
                    [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
            } else {
                throw MetadataRefusal(.certificateInvalid, "a key of an unknown kind")
            }
        } catch let error as MetadataRefusal { throw error } catch {
            throw MetadataRefusal(.certificateInvalid, "\(error)")
        }
    }

    private init(
        _ curve: EllipticCurve, _ point: some Collection<UInt8>, _ algorithms: [JWSAlgorithm]
    ) throws {
        let (x, y) = (point.prefix(curve.coordinateBytes), point.suffix(curve.coordinateBytes))
        try self.init(.ellipticCurve(curve, x: Array(x), y: Array(y)), algorithms)
    }

    private init(_ material: PublicJWK.Material, _ algorithms: [JWSAlgorithm]) throws {
        let key = try PublicJWK(material, parameters: KeyParameters())
        self.init(key: .publicKey(key), algorithms: algorithms)
    }
}
