// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import Primitives

/// Encrypts compact JWE to one recipient.
package struct JWEEncrypter: Sendable {
    /// The members of the header in addition to the algorithms.
    package struct Options: Sendable {
        /// `typ` and `cty`.
        package var type: String?
        package var contentType: String?
        /// Agreement party information (RFC 7518 section 4.6.1), raw bytes.
        package var apu: [UInt8]?
        package var apv: [UInt8]?
        /// The ephemeral key pair of an agreement, when `apu` names it; fresh for each message.
        /// Otherwise the encrypter makes one.
        package var ephemeral: PrivateJWK?
        /// Further members; they cannot replace what the encrypter sets.
        package var members: [JSONObject.Member]

        package init(
            type: String? = nil, contentType: String? = nil, apu: [UInt8]? = nil,
            apv: [UInt8]? = nil, ephemeral: PrivateJWK? = nil,
            members: [JSONObject.Member] = []
        ) {
            self.type = type
            self.contentType = contentType
            self.apu = apu
            self.apv = apv
            self.ephemeral = ephemeral
            self.members = members
        }
    }

    private let key: JSONWebKey
    private let algorithm: JWEAlgorithm
    private let encryption: JWEEncryption

    /// - Throws: `keyMismatch`, `keyNotPermitted`.
    package init(
        key: JSONWebKey, algorithm: JWEAlgorithm, encryption: JWEEncryption
    ) throws(JOSEError) {
        let fits =
            if let shared = key.symmetricKey {
                algorithm == .direct
                    ? shared.key.reveal().count == encryption.keyBytes
                    : algorithm.isSymmetric
                        && shared.key.reveal().count == algorithm.wrappingKeyBytes
            } else if let material = key.publicKey?.material {
                algorithm.fits(material)
            } else { false }
        guard fits else {
            throw JOSEError(.keyMismatch, "the key is of another kind than the algorithm")
        }
        let operations = ["encrypt", "wrapKey", "deriveKey", "deriveBits"]
        guard key.parameters.permits(use: "enc", operations: operations),
            algorithm.isNamed(by: key.parameters, with: encryption)
        else { throw JOSEError(.keyNotPermitted, "the key is not for encrypting with that") }
        self.key = key
        self.algorithm = algorithm
        self.encryption = encryption
    }

    /// The compact JWE of `plaintext`, as ASCII bytes.
    ///
    /// - Throws: `failure` when the library below fails.
    package func encrypt(
        _ plaintext: [UInt8], options: Options = Options(), random: some RandomSource
    ) throws(JOSEError) -> [UInt8] {
        do {
            let prepared = try prepare(options, random: random)
            let header = Base64URL.encodeBytes(prepared.header.bytes)
            let sealed = try ContentCipher.seal(
                plaintext, by: encryption, key: prepared.contentKey, authenticated: header,
                initializationVector: random.bytes(encryption.initializationVectorBytes))
            var output = header
            let parts = [
                prepared.encryptedKey, sealed.initializationVector, sealed.ciphertext, sealed.tag,
            ]
            for part in parts {
                output.append(UInt8(ascii: "."))
                Base64URL.append(part, to: &output)
            }
            return output
        } catch let error as JOSEError {
            throw error
        } catch {
            throw JOSEError(.failure, "encryption failed: \(error)")
        }
    }

    private struct Prepared {
        var header: JSONObject
        var contentKey: [UInt8]
        var encryptedKey: [UInt8]
    }

    private func prepare(
        _ options: Options, random: some RandomSource
    ) throws -> Prepared {
        var prepared = Prepared(
            header: header(options), contentKey: random.bytes(encryption.keyBytes),
            encryptedKey: [])
        if let shared = key.symmetricKey {
            if algorithm == .direct {
                prepared.contentKey = shared.key.reveal()
            } else {
                prepared.encryptedKey = try wrap(prepared.contentKey, with: shared.key.reveal())
            }
        } else if let recipient = key.publicKey {
            try address(&prepared, to: recipient, options, random: random)
        }
        for member in options.members where prepared.header[member.name] == nil {
            prepared.header[member.name] = member.value
        }
        return prepared
    }

    private func address(
        _ prepared: inout Prepared, to recipient: PublicJWK, _ options: Options,
        random: some RandomSource
    ) throws {
        if case .rsa(let n, let e) = recipient.material {
            let key = try _RSA.Encryption.PublicKey(n: n, e: e)
            let padding: _RSA.Encryption.Padding =
                algorithm == .rsaOAEP256 ? .PKCS1_OAEP_SHA256 : .PKCS1_OAEP
            prepared.encryptedKey = Array(
                try key.encrypt(prepared.contentKey, padding: padding))
            return
        }
        let ephemeral =
            try options.ephemeral ?? KeyAgreement.ephemeral(for: recipient, random: random)
        prepared.header["epk"] = ephemeral.publicKey.json
        if let apu = options.apu { prepared.header["apu"] = .string(Base64URL.encode(apu)) }
        if let apv = options.apv { prepared.header["apv"] = .string(Base64URL.encode(apv)) }
        let agreed = ConcatKDF.derive(
            sharedSecret: try KeyAgreement.sharedSecret(ephemeral, recipient),
            algorithmID: algorithm == .ecdhES ? encryption.rawValue : algorithm.rawValue,
            apu: options.apu ?? [], apv: options.apv ?? [],
            length: algorithm.wrappingKeyBytes ?? encryption.keyBytes)
        if algorithm == .ecdhES {
            prepared.contentKey = agreed
        } else {
            prepared.encryptedKey = try wrap(prepared.contentKey, with: agreed)
        }
    }

    private func header(_ options: Options) -> JSONObject {
        var header = JSONObject([
            .init(name: "alg", value: .string(algorithm.rawValue)),
            .init(name: "enc", value: .string(encryption.rawValue)),
        ])
        header["typ"] = options.type.map(JSONValue.string)
        header["cty"] = options.contentType.map(JSONValue.string)
        header["kid"] = key.parameters.keyID.map(JSONValue.string)
        return header
    }

    private func wrap(_ key: [UInt8], with wrapping: [UInt8]) throws -> [UInt8] {
        Array(
            try AES.KeyWrap.wrap(
                SymmetricKey(data: key), using: SymmetricKey(data: wrapping)))
    }
}
