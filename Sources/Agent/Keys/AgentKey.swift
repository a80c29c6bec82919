// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// Where private keys live. None ever takes another's place.
package enum KeyStoreKind: String, Sendable, CaseIterable {
    /// In the agent's sealed file. Who can read the file and its key has them.
    case file
    /// In a TPM 2.0, which never gives them away.
    case tpm
    /// On a token that is reached through PKCS#11: a hardware module or a card of the machine's.
    case pkcs11

    /// As it stands in the head of the state file.
    var code: UInt8 {
        switch self {
        case .file: 0
        case .tpm: 1
        case .pkcs11: 2
        }
    }
}

/// A key pair on P-256 of the device or of a person, as the agent keeps it.
package struct AgentKey: Sendable, Equatable {
    package let kind: KeyStoreKind
    package let publicKey: PublicJWK
    /// The private scalar; what a TPM finds its key by, encrypted for it; or the name on a token.
    let handle: Secret
    /// Of people's keys that need a PIN.
    package internal(set) var guarded: KeyProtection?

    init(kind: KeyStoreKind, publicKey: PublicJWK, handle: Secret) {
        self.kind = kind
        self.publicKey = publicKey
        self.handle = handle
    }

    /// To be sealed before it is stored.
    var json: JSONValue {
        var object = JSONObject([.init(name: "kind", value: .string(kind.rawValue))])
        object["public"] = publicKey.json
        object["handle"] = .string(Base64URL.encode(handle.reveal()))
        object["guard"] = guarded?.json
        return .object(object)
    }

    init?(_ value: JSONValue) {
        guard let kind = value["kind"]?.string.flatMap({ KeyStoreKind(rawValue: $0) }),
            let object = value["public"]?.object,
            case .publicKey(let key)? = try? JSONWebKey(object),
            let handle = value["handle"]?.string.flatMap({ Base64URL.decode($0) })
        else { return nil }
        self.init(kind: kind, publicKey: key, handle: Secret(handle))
        if let text = value["guard"] {
            guard let read = KeyProtection(text) else { return nil }
            guarded = read
        }
    }
}
