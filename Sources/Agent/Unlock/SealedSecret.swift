// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Crypto
import JOSE
import PlatformSSO
import Primitives

/// A secret that opens only with the person's unlock key, which the provider has: a few kilobytes
/// of JSON that may be stored anywhere.
///
/// It is sealed to the certificate's key with an ephemeral key pair, of which only the public half
/// is stored. To open it, the provider's key service agrees with that half.
package struct SealedSecret: Sendable, Equatable {
    /// In bytes.
    package static let greatestSecret = 65_536
    private static let version: Int64 = 1

    let account: String
    let ephemeral: PublicJWK
    let context: String?
    private let sealed: [UInt8]

    /// - Parameter recipient: of the certificate.
    /// - Returns: also what the two keys agree on, which opens it.
    static func seal(
        _ secret: Secret, for account: String, recipient: PublicJWK, context: String?,
        random: any RandomSource
    ) throws -> (sealed: SealedSecret, agreed: Secret) {
        let own = try KeyAgreement.ephemeral(for: recipient, random: random)
        let agreed = Secret(try KeyAgreement.sharedSecret(own, recipient))
        let key = key(agreed, account: account, ephemeral: own.publicKey)
        let box = try secret.withBytes {
            try AES.GCM.seal($0, using: key, nonce: AES.GCM.Nonce(data: random.bytes(12)))
        }
        let sealed = SealedSecret(
            account: account, ephemeral: own.publicKey, context: context,
            sealed: Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
        return (sealed, agreed)
    }

    private init(account: String, ephemeral: PublicJWK, context: String?, sealed: [UInt8]) {
        self.account = account
        self.ephemeral = ephemeral
        self.context = context
        self.sealed = sealed
    }

    /// - Parameter agreed: What the unlock key agrees on with ``ephemeral``.
    func open(_ agreed: Secret) throws(AgentRefusal) -> Secret {
        let key = Self.key(agreed, account: account, ephemeral: ephemeral)
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let opened = try? AES.GCM.open(box, using: key)
        else { throw .sealedElsewhere }
        return Secret(opened)
    }

    /// Bound to the person and to the pair, so that parts of two secrets never open as one.
    private static func key(
        _ agreed: Secret, account: String, ephemeral: PublicJWK
    ) -> SymmetricKey {
        agreed.withBytes { secret in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), salt: ephemeral.x963 ?? [],
                info: Array("gatehouse/agent/unlock/\(account)".utf8), outputByteCount: 32)
        }
    }

    // MARK: JSON

    var json: JSONObject {
        var object = JSONObject([.init(name: "gatehouse_sealed", value: .integer(Self.version))])
        object["account"] = .string(account)
        object["ephemeral"] = ephemeral.json
        object["key_context"] = context.map(JSONValue.string)
        object["sealed"] = .string(Base64URL.encode(sealed))
        return object
    }

    init(_ object: JSONObject) throws(AgentRefusal) {
        guard object["gatehouse_sealed"]?.integer == Self.version,
            let account = object["account"]?.string, let key = object["ephemeral"]?.object,
            case .publicKey(let ephemeral)? = try? JSONWebKey(key),
            let sealed = object["sealed"]?.string.flatMap({ Base64URL.decode($0) })
        else { throw .sealedElsewhere }
        self.account = account
        self.ephemeral = ephemeral
        context = object["key_context"]?.string
        self.sealed = sealed
    }
}
