// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import WebAuthn

/// An attestation key with a self-signed certificate in the form that WebAuthn section 8.2.1
/// requires.
///
/// No authority certifies it. It shows a relying party that pins it that two credentials come from
/// one key.
struct AttestationIdentity {
    let key: P256.Signing.PrivateKey
    /// DER.
    let certificate: [UInt8]

    /// - Parameter model: The AAGUID of the extension; `nil` leaves it out, as U2F has none.
    init?(model: [UInt8]?, now: Timestamp, random: any RandomSource) {
        guard let drawn = CredentialPrivateKey(.es256, random: random), case .es256(let key) = drawn
        else { return nil }
        let body = Self.body(
            key.publicKey, model: model, now: now, serial: random.bytes(16))
        guard let signature = try? key.signature(for: body) else { return nil }
        self.key = key
        certificate = DERWriter.sequence([
            body, Self.algorithm, DERWriter.bitString(Array(signature.derRepresentation)),
        ])
    }

    /// ecdsa-with-SHA256.
    private static let algorithm = DERWriter.sequence([
        DERWriter.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])
    ])

    private static func body(
        _ key: P256.Signing.PublicKey, model: [UInt8]?, now: Timestamp, serial: [UInt8]
    ) -> [UInt8] {
        DERWriter.sequence([
            DERWriter.element(0xA0, DERWriter.integer([2])),
            DERWriter.integer(serial),
            algorithm,
            name,
            DERWriter.sequence([
                DERWriter.time(now), DERWriter.element(0x17, Array("491231235959Z".utf8)),
            ]),
            name,
            Array(key.derRepresentation),
            DERWriter.element(0xA3, DERWriter.sequence(extensions(model))),
        ])
    }

    private static let name = DERWriter.sequence(
        [
            ([2, 5, 4, 6], "CH"), ([2, 5, 4, 10], "Gatehouse"),
            ([2, 5, 4, 11], "Authenticator Attestation"),
            ([2, 5, 4, 3], "Gatehouse software security key"),
        ].map { attribute($0.0, $0.1) })

    /// The country is a PrintableString (RFC 5280 appendix A.1), the others are UTF-8.
    private static func attribute(_ identifier: [UInt64], _ value: String) -> [UInt8] {
        let tag: UInt8 = identifier.last == 6 ? 0x13 : 0x0C
        return DERWriter.element(
            0x31,
            DERWriter.sequence([
                DERWriter.objectIdentifier(identifier), DERWriter.element(tag, Array(value.utf8)),
            ]))
    }

    private static func extensions(_ model: [UInt8]?) -> [[UInt8]] {
        let constraints = DERWriter.sequence([
            DERWriter.objectIdentifier([2, 5, 29, 19]), DERWriter.element(0x01, [0xFF]),
            DERWriter.element(0x04, DERWriter.sequence([])),
        ])
        guard let model else { return [constraints] }
        return [
            constraints,
            DERWriter.sequence([
                DERWriter.objectIdentifier([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]),
                DERWriter.element(0x04, DERWriter.element(0x04, model)),
            ]),
        ]
    }
}
