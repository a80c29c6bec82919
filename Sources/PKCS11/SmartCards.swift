// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A certificate on a smart card, whose key is on the card as well.
package struct CardCertificate: Sendable, Hashable {
    package let token: Token
    /// `CKA_LABEL` of the certificate.
    package let label: String
    /// DER
    package let certificate: [UInt8]
    let id: [UInt8]
}

/// The people's smart cards, as far as they are in a reader. All calls block.
package struct SmartCards: Sendable {
    /// The signature algorithm of a card; both use SHA-256.
    package enum Algorithm: Sendable {
        /// r and s, one behind the other.
        case ecdsa
        /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
        case rsa
    }

    private let module: String

    /// - Parameter module: Absolute path of the shared library.
    package init(module: String) { self.module = module }

    /// Returns the certificates on all cards, which can be read without a PIN.
    package func certificates() throws(PKCS11Error) -> [CardCertificate] {
        let module = try PKCS11Module.load(module)
        var certificates: [CardCertificate] = []
        for token in try module.tokens() where token.isInitialized {
            let found = try? module.withSession(
                { (tokens) throws(PKCS11Error) in try Self.find(token, tokens) }, login: nil
            ) { (session) throws(PKCS11Error) in try Self.certificates(token, session) }
            // A card that was taken out in between has none.
            certificates += found ?? []
        }
        return certificates
    }

    private static func certificates(
        _ token: Token, _ session: TokenSession
    ) throws(PKCS11Error) -> [CardCertificate] {
        let objects = try session.objects([
            (Cryptoki.AttributeType.objectClass, .number(Cryptoki.ObjectClass.certificate)),
            (Cryptoki.AttributeType.certificateType, .number(Cryptoki.x509)),
        ])
        var certificates: [CardCertificate] = []
        for object in objects {
            guard let der = try session.value(Cryptoki.AttributeType.value, of: object),
                let id = try session.value(Cryptoki.AttributeType.id, of: object), !id.isEmpty
            else { continue }
            let label = try session.value(Cryptoki.AttributeType.label, of: object) ?? []
            certificates.append(
                CardCertificate(
                    token: token, label: String(decoding: label, as: UTF8.self), certificate: der,
                    id: id))
        }
        return certificates
    }

    /// - Parameters:
    ///   - digest: SHA-256 of the signed data, 32 bytes.
    ///   - pin: `nil` for a reader with a PIN pad.
    /// - Throws: ``PKCS11Error/noKey`` for the certificate of an authority, whose key is not on the
    ///   card.
    package func sign(
        digest: [UInt8], with card: CardCertificate, pin: Secret?, _ algorithm: Algorithm
    ) throws(PKCS11Error) -> [UInt8] {
        let login = pin.map(TokenLogin.pin) ?? .atReader
        return try PKCS11Module.load(module).withSession(
            { (tokens) throws(PKCS11Error) in try Self.find(card.token, tokens) }, login: login
        ) { (session) throws(PKCS11Error) in
            let key = try session.privateKey(card.id)
            return switch algorithm {
            case .ecdsa:
                try session.sign(digest, with: key, Cryptoki.Mechanism.ecdsa, again: login)
            case .rsa:
                try session.sign(
                    Self.digestInfo + digest, with: key, Cryptoki.Mechanism.rsaPKCS1,
                    again: login)
            }
        }
    }

    private static func find(_ token: Token, _ tokens: [Token]) throws(PKCS11Error) -> Token {
        guard let found = tokens.first(where: { $0.isSame(as: token) }) else {
            throw .noToken("the card was removed")
        }
        return found
    }

    /// `DigestInfo` of SHA-256 up to the digest (RFC 8017 section 9.2, note 1).
    private static let digestInfo: [UInt8] = [
        0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01,
        0x05, 0x00, 0x04, 0x20,
    ]
}
