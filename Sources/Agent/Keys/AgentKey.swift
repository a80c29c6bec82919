// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

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

    init(_ object: JSONObject) throws(JSONMemberError) {
        let reader = JSONReader(object) { $0 }
        self.init(
            kind: try reader.required("kind", .choice),
            publicKey: try reader.required("public", .publicKey),
            handle: Secret(try reader.required("handle", .base64url)))
        guarded = try reader.optionalObject("guard").map(KeyProtection.init)
    }
}

extension JSONForm<AgentKey> {
    static var agentKey: JSONForm {
        JSONForm<JSONObject>.object.map("a key of the agent") { try? AgentKey($0) }
    }
}
