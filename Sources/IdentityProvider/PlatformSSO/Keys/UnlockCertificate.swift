// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives

/// The certificate in which a device is given its unlock key: X.509 (RFC 5280), signed by the key
/// itself, for agreement. Its profile is free (Apple "Supporting key requests and key exchange
/// requests"); the device trusts it because of the answer that it comes in.
struct UnlockCertificate {
    let subject: String
    let key: PrivateJWK
    let serial: [UInt8]
    let notBefore: Timestamp
    let notAfter: Timestamp

    /// DER.
    func encoded() throws -> [UInt8] {
        let body = DER.sequence([
            DER.element(0xA0, DER.integer([2])),
            DER.integer([0x40] + serial.dropFirst()),
            Self.algorithm, name,
            DER.sequence([DER.time(notBefore), DER.time(notAfter)]),
            name,
            DevicePublicKey.infoPrefix + (key.publicKey.x963 ?? []),
            DER.element(0xA3, DER.sequence([Self.keyUsage, Self.noAuthority])),
        ])
        let signature = try JOSESigner(key, algorithm: .es256).signature(over: body)
        let numbers = DER.sequence([
            DER.integer(Array(signature.prefix(32))), DER.integer(Array(signature.suffix(32))),
        ])
        return DER.sequence([body, Self.algorithm, DER.bitString(numbers)])
    }

    /// CN. A name is of 64 letters at most there (RFC 5280 appendix A.1).
    private var name: [UInt8] {
        let text = Array(String(subject.prefix(64)).utf8)
        let attribute = DER.sequence([
            DER.objectIdentifier([2, 5, 4, 3]), DER.element(0x0C, text),
        ])
        return DER.sequence([DER.element(0x31, attribute)])
    }

    /// ecdsa-with-SHA256.
    private static let algorithm = DER.sequence([DER.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])])

    /// digitalSignature and keyAgreement, critical: bits 0 and 4.
    private static let keyUsage = DER.sequence([
        DER.objectIdentifier([2, 5, 29, 15]), DER.element(0x01, [0xFF]),
        DER.element(0x04, DER.element(0x03, [3, 0x88])),
    ])

    private static let noAuthority = DER.sequence([
        DER.objectIdentifier([2, 5, 29, 19]), DER.element(0x01, [0xFF]),
        DER.element(0x04, DER.sequence([])),
    ])
}
