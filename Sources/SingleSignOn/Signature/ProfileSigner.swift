// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
package import Primitives

/// Signs configuration profiles: CMS `SignedData` (RFC 5652 section 5) with the profile and the
/// certificates inside, SHA-256, by one key on P-256 or of RSA (RFC 5754 section 3).
///
/// A Mac calls a profile verified when the chain leads to a root that it trusts.
package struct ProfileSigner: Sendable {
    /// DER, in the order of a `SET OF` (X.690 section 11.6).
    private let certificates: [[UInt8]]
    private let own: SigningCertificate
    private let signer: JOSESigner

    /// - Parameters:
    ///   - certificates: The signer's and its chain up to a root, PEM, in any order.
    ///   - key: PEM, not encrypted.
    package init(certificates: [UInt8], key: Secret) throws(ProfileSigningError) {
        let chain = PEMBlock.all("CERTIFICATE", in: String(decoding: certificates, as: UTF8.self))
        guard !chain.isEmpty else { throw .noCertificate }
        let pair: PrivateJWK
        do throws(JOSEError) {
            pair = try PrivateJWK(pem: key)
            signer = try JOSESigner(pair, algorithm: pair.publicKey.isRSA ? .rs256 : .es256)
        } catch { throw .key(error.reason) }
        let known = chain.lazy.compactMap { SigningCertificate($0.der) }
        guard let own = known.first(where: { $0.key.thumbprint == pair.publicKey.thumbprint })
        else { throw .keyMismatch }
        self.own = own
        self.certificates = Set(chain.map(\.der)).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The signed message, DER.
    ///
    /// - Throws: `failure` when the library below fails.
    package func sign(
        _ profile: [UInt8], at time: Timestamp
    ) throws(ProfileSigningError) -> [UInt8] {
        let attributes = Self.attributes(of: profile, time)
        let signature: [UInt8]
        do {
            // The signature covers the attributes as a SET OF, not with their transmitted tag
            // (5.4).
            signature = try signer.signature(over: DERWriter.element(0x31, attributes))
        } catch { throw .failure("\(error)") }
        let message = DERWriter.sequence([
            DERWriter.integer([1]), DERWriter.element(0x31, Self.digestAlgorithm),
            DERWriter.sequence([
                Self.data, DERWriter.element(0xA0, DERWriter.element(0x04, profile)),
            ]),
            DERWriter.element(0xA0, certificates.flatMap { $0 }),
            DERWriter.element(0x31, signerInfo(attributes, signature)),
        ])
        return DERWriter.sequence([Self.signedData, DERWriter.element(0xA0, message)])
    }

    /// Returns `SignerInfo`, section 5.3, with the signer's issuer and serial number.
    private func signerInfo(_ attributes: [UInt8], _ signature: [UInt8]) -> [UInt8] {
        DERWriter.sequence([
            DERWriter.integer([1]), DERWriter.sequence([own.issuer, own.serial]),
            Self.digestAlgorithm, DERWriter.element(0xA0, attributes),
            own.key.isRSA ? Self.rsa : Self.ecdsa,
            DERWriter.element(0x04, own.key.isRSA ? signature : Self.numbers(signature)),
        ])
    }

    /// `contentType`, `messageDigest` and `signingTime`, sections 11.1 to 11.3.
    private static func attributes(of profile: [UInt8], _ time: Timestamp) -> [UInt8] {
        let digest = Array(SHA256.hash(data: profile))
        let attributes = [
            attribute(3, data), attribute(4, DERWriter.element(0x04, digest)),
            attribute(5, DERWriter.time(time)),
        ]
        return attributes.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    private static func attribute(_ number: UInt64, _ value: [UInt8]) -> [UInt8] {
        DERWriter.sequence([
            DERWriter.objectIdentifier([1, 2, 840, 113_549, 1, 9, number]),
            DERWriter.element(0x31, value),
        ])
    }

    /// `ECDSA-Sig-Value` (RFC 3279 section 2.2.3) of r and s, 32 bytes each.
    private static func numbers(_ signature: [UInt8]) -> [UInt8] {
        DERWriter.sequence([
            DERWriter.integer(Array(signature.prefix(32))),
            DERWriter.integer(Array(signature.suffix(32))),
        ])
    }

    private static let data = DERWriter.objectIdentifier([1, 2, 840, 113_549, 1, 7, 1])
    private static let signedData = DERWriter.objectIdentifier([1, 2, 840, 113_549, 1, 7, 2])
    /// SHA-256 without parameters, RFC 5754 section 2.
    private static let digestAlgorithm = DERWriter.sequence([
        DERWriter.objectIdentifier([2, 16, 840, 1, 101, 3, 4, 2, 1])
    ])
    private static let ecdsa = DERWriter.sequence([
        DERWriter.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])
    ])
    /// `rsaEncryption`, which all CMS implementations support (RFC 3370 section 3.2).
    private static let rsa = DERWriter.sequence([
        DERWriter.objectIdentifier([1, 2, 840, 113_549, 1, 1, 1]), DERWriter.element(0x05, []),
    ])
}

extension PublicJWK {
    fileprivate var isRSA: Bool { if case .rsa = material { true } else { false } }
}
