// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives

/// The certificate of an unlock key for a device: X.509 (RFC 5280), self-signed, for key agreement.
/// Its profile is not specified (Apple "Supporting key requests and key exchange requests"). The
/// device trusts it because of the response that contains it.
struct UnlockCertificate {
    let subject: String
    let key: PrivateJWK
    let serial: [UInt8]
    let notBefore: Timestamp
    let notAfter: Timestamp

    /// DER.
    func encoded() throws -> [UInt8] {
        let body = DERWriter.sequence([
            DERWriter.element(0xA0, DERWriter.integer([2])),
            DERWriter.integer([0x40] + serial.dropFirst()),
            Self.algorithm, name,
            DERWriter.sequence([DERWriter.time(notBefore), DERWriter.time(notAfter)]),
            name,
            DevicePublicKey.infoPrefix + (key.publicKey.x963 ?? []),
            DERWriter.element(0xA3, DERWriter.sequence([Self.keyUsage, Self.noAuthority])),
        ])
        let signature = try JOSESigner(key, algorithm: .es256).signature(over: body)
        let numbers = DERWriter.sequence([
            DERWriter.integer(Array(signature.prefix(32))),
            DERWriter.integer(Array(signature.suffix(32))),
        ])
        return DERWriter.sequence([body, Self.algorithm, DERWriter.bitString(numbers)])
    }

    /// CN. Its maximum length is 64 characters (RFC 5280 appendix A.1).
    private var name: [UInt8] {
        let text = Array(String(subject.prefix(64)).utf8)
        let attribute = DERWriter.sequence([
            DERWriter.objectIdentifier([2, 5, 4, 3]), DERWriter.element(0x0C, text),
        ])
        return DERWriter.sequence([DERWriter.element(0x31, attribute)])
    }

    /// ecdsa-with-SHA256.
    private static let algorithm = DERWriter.sequence([
        DERWriter.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])
    ])

    /// digitalSignature and keyAgreement, critical: bits 0 and 4.
    private static let keyUsage = DERWriter.sequence([
        DERWriter.objectIdentifier([2, 5, 29, 15]), DERWriter.element(0x01, [0xFF]),
        DERWriter.element(0x04, DERWriter.element(0x03, [3, 0x88])),
    ])

    private static let noAuthority = DERWriter.sequence([
        DERWriter.objectIdentifier([2, 5, 29, 19]), DERWriter.element(0x01, [0xFF]),
        DERWriter.element(0x04, DERWriter.sequence([])),
    ])
}
