// SPDX-License-Identifier: Apache-2.0
package import Crypto
import SwiftASN1
import WebAuthn
package import X509

/// A fake manufacturer of TPMs: it certifies endorsement keys with one error each.
package struct EndorsementAuthority {
    /// What a certificate says; right unless changed.
    package struct Saying {
        package var usage: [UInt] = [2, 23, 133, 8, 1]
        package var vendor: String? = "id:49424d00"
        package var isNameCritical = true
        package var subject: String?
        package var constraints: BasicConstraints? = .notCertificateAuthority
        package var keyUsage: KeyUsage?
        package var extra: [Certificate.Extension] = []

        package init() {}
    }

    package let authority: AttestationAuthority

    package init() throws { authority = try AttestationAuthority() }

    /// DER of the trust anchor of devices: it signs endorsement keys itself.
    package var root: [UInt8] { get throws { try authority.intermediate.der } }

    /// - Parameter area: `TPMT_PUBLIC` of the endorsement key.
    package func certify(
        _ area: [UInt8], _ change: (inout Saying) -> Void = { _ in }
    ) throws -> [UInt8] {
        var saying = Saying()
        change(&saying)
        var leaf = AttestationAuthority.Leaf(
            country: nil, organization: nil, unit: nil, name: saying.subject,
            constraints: saying.constraints)
        leaf.extensions = try saying.extensions
        return try authority.issue(leaf, of: try Self.key(area)).der
    }

    private static func key(_ area: [UInt8]) throws -> Certificate.PublicKey {
        switch try TPMPublicArea(area[...]).key {
        case .point(_, let x, let y):
            return .init(try P256.Signing.PublicKey(rawRepresentation: x + y))
        case .rsa(let modulus, _):
            // `SubjectPublicKeyInfo` of 2048 bits with the exponent 65537.
            let head: [UInt8] = [
                0x30, 0x82, 0x01, 0x22, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D,
                0x01, 0x01, 0x01, 0x05, 0x00, 0x03, 0x82, 0x01, 0x0F, 0x00, 0x30, 0x82, 0x01, 0x0A,
                0x02, 0x82, 0x01, 0x01, 0x00,
            ]
            return try .init(derEncoded: head + modulus + [0x02, 0x03, 0x01, 0x00, 0x01])
        }
    }

    // MARK: Areas

    private static func area(
        _ key: P256.Signing.PublicKey, _ attributes: UInt32, _ scheme: [UInt8]
    ) -> [UInt8] {
        let point = Array(key.rawRepresentation)
        let flags = (0..<4).map { UInt8(truncatingIfNeeded: attributes >> UInt32(24 - $0 * 8)) }
        return [0x00, 0x23, 0x00, 0x0B] + flags + [0, 0] + scheme + [0, 3, 0, 0x10, 0, 32]
            + Array(point.prefix(32)) + [0, 32] + Array(point.suffix(32))
    }

    /// Of an endorsement key: fixedTPM, fixedParent, sensitiveDataOrigin, adminWithPolicy, restricted,
    /// decrypt; AES-128-CFB.
    package static func endorsementArea(
        _ key: P256.Signing.PublicKey, attributes: UInt32 = 0x0003_00B2, cipherBits: UInt8 = 128
    ) -> [UInt8] {
        area(key, attributes, [0, 6, 0, cipherBits, 0, 0x43, 0, 0x10])
    }

    /// Of an attestation key: fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, restricted,
    /// sign; ECDSA with SHA-256.
    package static func attestationArea(
        _ key: P256.Signing.PublicKey, attributes: UInt32 = 0x0005_0072
    ) -> [UInt8] {
        area(key, attributes, [0, 0x10, 0, 0x18, 0, 0x0B])
    }
}

extension SubjectAlternativeNames {
    /// The manufacturer, model and firmware of a TPM.
    package static func tpm(vendor: String) -> SubjectAlternativeNames {
        let device = DistinguishedName([
            RelativeDistinguishedName([
                .init(type: [2, 23, 133, 2, 1], utf8String: vendor),
                .init(type: [2, 23, 133, 2, 2], utf8String: "Model"),
                .init(type: [2, 23, 133, 2, 3], utf8String: "id:00010002"),
            ])
        ])
        return SubjectAlternativeNames([.directoryName(device)])
    }
}

extension EndorsementAuthority.Saying {
    fileprivate var extensions: [Certificate.Extension] {
        get throws {
            var found = [
                try Certificate.Extension(
                    try ExtendedKeyUsage([
                        .init(oid: ASN1ObjectIdentifier(elements: usage))
                    ]), critical: false)
            ]
            if let vendor {
                found.append(
                    try .init(
                        SubjectAlternativeNames.tpm(vendor: vendor), critical: isNameCritical))
            }
            if let keyUsage { found.append(try .init(keyUsage, critical: true)) }
            return found + extra
        }
    }
}
