// SPDX-License-Identifier: Apache-2.0
import CPKCS11
import Primitives

/// The use of a key on a token; a key has one of both.
package enum TokenKeyUse: Sendable {
    case signing, agreement
}

extension TokenSession {
    /// prime256v1 (RFC 5480 section 2.1.1.1), DER
    private static let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    /// Makes a key pair on P-256 whose private half never leaves the token.
    ///
    /// - Returns: x and y, 32 bytes each.
    func makeKey(
        for use: TokenKeyUse, id: [UInt8], label: String
    ) throws(PKCS11Error) -> [UInt8] {
        let signs = use == .signing
        let open: AttributeList = [
            (Cryptoki.AttributeType.token, .flag(true)),
            (Cryptoki.AttributeType.isPrivate, .flag(false)),
            (Cryptoki.AttributeType.curve, .bytes(Self.p256)),
            (Cryptoki.AttributeType.id, .bytes(id)),
            (Cryptoki.AttributeType.label, .bytes(Array(label.utf8))),
            (Cryptoki.AttributeType.verify, .flag(signs)),
            (Cryptoki.AttributeType.derive, .flag(!signs)),
        ]
        let secret: AttributeList = [
            (Cryptoki.AttributeType.token, .flag(true)),
            (Cryptoki.AttributeType.isPrivate, .flag(true)),
            (Cryptoki.AttributeType.sensitive, .flag(true)),
            (Cryptoki.AttributeType.extractable, .flag(false)),
            (Cryptoki.AttributeType.id, .bytes(id)),
            (Cryptoki.AttributeType.label, .bytes(Array(label.utf8))),
            (Cryptoki.AttributeType.sign, .flag(signs)),
            (Cryptoki.AttributeType.derive, .flag(!signs)),
        ]
        var mechanism = CK_MECHANISM(
            mechanism: Cryptoki.Mechanism.makeEllipticCurveKey, parameter: nil, length: 0)
        var (publicKey, privateKey): (UInt, UInt) = (0, 0)
        try open.lent { (open, openCount) throws(PKCS11Error) in
            try secret.lent { (secret, secretCount) throws(PKCS11Error) in
                try calls.check(
                    "C_GenerateKeyPair",
                    calls.list.C_GenerateKeyPair?(
                        handle, &mechanism, open, openCount, secret, secretCount, &publicKey,
                        &privateKey))
            }
        }
        return try point(of: publicKey)
    }

    /// `CKA_EC_POINT` is an octet string in DER; some modules leave its head out.
    func point(of key: UInt) throws(PKCS11Error) -> [UInt8] {
        let found = try value(Cryptoki.AttributeType.point, of: key) ?? []
        let point =
            found.starts(with: [0x04, 0x41]) && found.count == 67 ? found[2...] : found[...]
        guard point.count == 65, point.first == 0x04 else { throw .malformed("a point") }
        return Array(point.dropFirst())
    }

    /// - Parameters:
    ///   - data: The input of the mechanism: a digest for ECDSA, a `DigestInfo` for RSA.
    ///   - login: Repeated for keys that require it for each signature (`CKA_ALWAYS_AUTHENTICATE`).
    func sign(
        _ data: [UInt8], with key: UInt, _ mechanism: UInt, again login: TokenLogin
    ) throws(PKCS11Error) -> [UInt8] {
        var mechanism = CK_MECHANISM(mechanism: mechanism, parameter: nil, length: 0)
        let eachTime = try value(Cryptoki.AttributeType.alwaysAuthenticate, of: key) == [1]
        try calls.check("C_SignInit", calls.list.C_SignInit?(handle, &mechanism, key))
        if eachTime { try logIn(login, as: Cryptoki.User.contextSpecific) }
        // Space for RSA of 8192 bits.
        var signature = [UInt8](repeating: 0, count: 1024)
        var size = UInt(signature.count)
        try calls.check(
            "C_Sign", calls.list.C_Sign?(handle, data, UInt(data.count), &signature, &size))
        guard size <= UInt(signature.count) else { throw .malformed("a signature") }
        return Array(signature.prefix(Int(size)))
    }

    /// Returns the key agreement of a key with a point: the X coordinate (ECDH without a
    /// derivation), 32 bytes.
    ///
    /// - Parameter point: Uncompressed, 65 bytes.
    func sharedSecret(_ key: UInt, with point: [UInt8]) throws(PKCS11Error) -> Secret {
        let template: AttributeList = [
            (Cryptoki.AttributeType.objectClass, .number(Cryptoki.ObjectClass.secretKey)),
            (Cryptoki.AttributeType.keyType, .number(Cryptoki.genericSecret)),
            (Cryptoki.AttributeType.token, .flag(false)),
            (Cryptoki.AttributeType.sensitive, .flag(false)),
            (Cryptoki.AttributeType.extractable, .flag(true)),
            (Cryptoki.AttributeType.valueLength, .number(32)),
        ]
        var (point, derived): ([UInt8], UInt) = (point, 0)
        let code: UInt? = try template.lent { (attributes, count) throws(PKCS11Error) in
            point.withUnsafeMutableBufferPointer { point in
                var parameters = CK_ECDH1_DERIVE_PARAMS(
                    kdf: Cryptoki.noDerivation, shared_length: 0, shared: nil,
                    public_length: UInt(point.count), public_data: point.baseAddress)
                return withUnsafeMutableBytes(of: &parameters) { parameters in
                    var mechanism = CK_MECHANISM(
                        mechanism: Cryptoki.Mechanism.ecdh, parameter: parameters.baseAddress,
                        length: UInt(parameters.count))
                    return calls.list.C_DeriveKey?(
                        handle, &mechanism, key, attributes, count, &derived)
                }
            }
        }
        try calls.check("C_DeriveKey", code)
        defer { _ = calls.list.C_DestroyObject?(handle, derived) }
        guard var bytes = try value(Cryptoki.AttributeType.value, of: derived), bytes.count == 32
        else { throw .malformed("a shared secret") }
        return Secret(wiping: &bytes)
    }
}
