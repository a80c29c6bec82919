// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Crypto
import Foundation
import JOSE
import Primitives
import SwiftASN1
import WebAuthn
import X509

extension Attested {
    // MARK: Packed

    static func packed(
        _ leaf: AttestationAuthority.Leaf = .init(), authority: AttestationAuthority? = nil
    ) throws -> Attested {
        var made = try Attested(format: "packed", authority: authority)
        let issued = try made.authority.issue(leaf)
        try made.sign(by: issued, path: [issued.der, made.authority.intermediate.der])
        return made
    }

    /// `alg`, `sig` and `x5c` as packed and android-key have them.
    mutating func sign(by issued: AttestationAuthority.Issued, path: [[UInt8]]) throws {
        statement["alg"] = .integer(-7)
        statement["sig"] = .byteString(try issued.key.signature(for: message).derRepresentation)
        statement["x5c"] = WebAuthnTests.x5c(path)
    }

    static func packedSelf(_ key: TestKey? = nil) throws -> Attested {
        var made = try Attested(format: "packed")
        made.policy = .unassessed
        if let key { made.use(key) }
        try made.signBySelf(key)
        return made
    }

    mutating func signBySelf(_ key: TestKey? = nil) throws {
        statement["alg"] = .integer(key?.algorithm.rawValue ?? -7)
        let own = ceremony.passkey.key
        let signature =
            try key?.sign(message) ?? Array(try own.signature(for: message).derRepresentation)
        statement["sig"] = .byteString(signature)
    }

    // MARK: U2F

    static func u2f() throws -> Attested {
        var made = try Attested(format: "fido-u2f")
        let issued = try made.authority.issue(by: made.authority.root)
        made.statement["x5c"] = WebAuthnTests.x5c([try issued.der])
        try made.signU2F(by: issued.key)
        return made
    }

    mutating func signU2F(by key: P256.Signing.PrivateKey) throws {
        let passkey = ceremony.passkey
        let message =
            [0] + ceremony.signedData.prefix(32) + clientDataHash + passkey.credentialId
            + Array(passkey.key.publicKey.x963Representation)
        statement["sig"] = .byteString(try key.signature(for: message).derRepresentation)
    }

    // MARK: Apple

    static func apple(
        nonce: [UInt8]? = nil, of key: Certificate.PublicKey? = nil
    ) throws
        -> Attested
    {
        var made = try Attested(format: "apple")
        let nonce = nonce ?? Array(SHA256.hash(data: made.message))
        let value = der([0x30], der([0xA1], der([0x04], nonce)))
        try made.certify(
            [1, 2, 840, 113635, 100, 8, 2], value, of: key ?? made.credentialKey)
        return made
    }

    /// A certificate of the credential's key with one extension more.
    mutating func certify(
        _ identifier: ASN1ObjectIdentifier, _ value: [UInt8]?, of key: Certificate.PublicKey
    ) throws {
        var leaf = AttestationAuthority.Leaf()
        if ceremony.format == "android-key" {
            leaf = .init(
                country: nil, organization: nil, unit: nil, name: "Android Keystore Key")
        }
        if let value {
            leaf.extensions = [.init(oid: identifier, critical: false, value: value[...])]
        }
        let issued = try authority.issue(leaf, of: key)
        statement["x5c"] = WebAuthnTests.x5c([try issued.der, try authority.intermediate.der])
    }

    // MARK: Android key

    static func androidKey(
        _ description: (inout KeyDescription) -> Void = { _ in },
        of key: Certificate.PublicKey? = nil
    ) throws -> Attested {
        var made = try Attested(format: "android-key")
        var what = KeyDescription(challenge: made.clientDataHash)
        description(&what)
        try made.certify(
            [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17], what.encoded, of: key ?? made.credentialKey)
        try made.signBySelf()
        return made
    }

    /// Of a credential key of ML-DSA-65 (RFC 9881).
    static func androidKeyOfMLDSA() throws -> Attested {
        var made = try androidKey()
        let key = try TestKey.make(.mlDSA65)
        made.use(key)
        let path = made.statement["x5c"]?.items?.compactMap { $0.byteString.map { Array($0) } }
        let publicKey = Array(key.cose[-1]?.byteString ?? [])
        let leaf = try ReissuedCertificate.make(
            of: path?.first ?? [], by: made.authority.intermediate,
            keyInfo: ReissuedCertificate.mlDSA65(publicKey))
        made.statement["x5c"] = WebAuthnTests.x5c([leaf] + (path ?? []).dropFirst())
        try made.signBySelf(key)
        return made
    }

    /// Android's key description; right unless changed.
    struct KeyDescription {
        var challenge: [UInt8]
        var software: [[UInt8]] = []
        var hardware: [[UInt8]] = [purpose(2, 3), origin(0)]
        /// In place of all that.
        var raw: [UInt8]?

        static func purpose(_ purposes: UInt8...) -> [UInt8] {
            der([0xA1], der([0x31], purposes.flatMap { der([0x02], [$0]) }))
        }
        static func origin(_ origin: UInt8) -> [UInt8] {
            der([0xBF, 0x85, 0x3E], der([0x02], [origin]))
        }
        static let allApplications = der([0xBF, 0x84, 0x58], der([0x05], []))

        var encoded: [UInt8] {
            raw
                ?? der(
                    [0x30],
                    der([0x02], [0x01, 0x2C]) + der([0x0A], [1]) + der([0x02], [0x01, 0x2C])
                        + der([0x0A], [1]) + der([0x04], challenge) + der([0x04], [])
                        + der([0x30], Array(software.joined()))
                        + der([0x30], Array(hardware.joined())))
        }
    }

    // MARK: SafetyNet

    static func safetyNet(_ change: (inout SafetyNet) -> Void = { _ in }) throws -> Attested {
        var made = try Attested(format: "android-safetynet")
        var what = SafetyNet(nonce: Array(SHA256.hash(data: made.message)))
        what.milliseconds = made.ceremony.expectation.now.milliseconds - 5000
        change(&what)
        var leaf = AttestationAuthority.Leaf()
        leaf.extensions = [
            try .init(SubjectAlternativeNames([.dnsName(what.host)]), critical: false)
        ]
        let issued = try made.authority.issue(leaf)
        let path = [try issued.der, try made.authority.intermediate.der]
        made.statement["ver"] = .text("14366018")
        made.statement["response"] = .byteString(try what.compact(issued.key, path))
        return made
    }

    /// A SafetyNet response; right unless changed.
    struct SafetyNet {
        var nonce: [UInt8]
        var milliseconds: Int64 = 0
        var isGenuine: JSONValue = true
        var host = "attest.android.com"
        var algorithm = "ES256"
        var certificates: [JSONValue]?
        var signer: P256.Signing.PrivateKey?

        func compact(_ key: P256.Signing.PrivateKey, _ path: [[UInt8]]) throws -> [UInt8] {
            let header: JSONValue = [
                "alg": .string(algorithm),
                "x5c": .array(
                    certificates
                        ?? path.map { .string(Data($0).base64EncodedString()) }),
            ]
            let payload: JSONValue = [
                "nonce": .string(Data(nonce).base64EncodedString()),
                "timestampMs": .integer(milliseconds), "ctsProfileMatch": isGenuine,
                "apkPackageName": "com.google.android.gms",
            ]
            let text = Base64URL.encode(header.bytes) + "." + Base64URL.encode(payload.bytes)
            let signature = try (signer ?? key).signature(for: Array(text.utf8))
            return Array((text + "." + Base64URL.encode(signature.rawRepresentation)).utf8)
        }
    }
}
