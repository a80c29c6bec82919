// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// The extensions that are requested of client and authenticator for an assertion
/// (`AuthenticationExtensionsClientInputs`, sections 9 and 10; CTAP 2.1 section 12).
package struct AuthenticationExtensions: Sendable, Equatable {
    package enum LargeBlob: Sendable, Equatable {
        case read
        case write([UInt8])
    }

    /// The AppID of U2F keys that were registered before WebAuthn (section 10.1.1). Asking for it
    /// is what makes an assertion under its hash acceptable.
    package var appID: String?
    /// Inputs of the pseudo-random function for all credentials without an input of their own.
    package var pseudoRandomInputs: PRFValues?
    /// Inputs by credential id; only together with `allowCredentials`.
    package var pseudoRandomInputsByCredential: [(id: [UInt8], values: PRFValues)] = []
    package var largeBlob: LargeBlob?
    /// Whether to request the blob that is stored with the credential (`getCredBlob`).
    package var credentialBlob = false
    package var userVerificationMethod = false
    /// Other inputs, sent to the client unchanged. Their outputs are passed on without validation.
    package var others = JSONObject()

    package init() {}

    package static func == (
        left: AuthenticationExtensions, right: AuthenticationExtensions
    ) -> Bool { left.json == right.json }

    /// The JSON for the client.
    package var json: JSONObject {
        var inputs = others
        if let appID { inputs["appid"] = .string(appID) }
        if wantsPRF { inputs["prf"] = .object(prf) }
        switch largeBlob {
        case .read: inputs["largeBlob"] = ["read": true]
        case .write(let bytes): inputs["largeBlob"] = ["write": .string(Base64URL.encode(bytes))]
        case nil: break
        }
        if credentialBlob { inputs["getCredBlob"] = true }
        if userVerificationMethod { inputs["uvm"] = true }
        return inputs
    }

    private var prf: JSONObject {
        var inputs = JSONObject()
        if let pseudoRandomInputs { inputs["eval"] = pseudoRandomInputs.json }
        if !pseudoRandomInputsByCredential.isEmpty {
            inputs["evalByCredential"] = .object(
                JSONObject(
                    pseudoRandomInputsByCredential.map {
                        .init(name: Base64URL.encode($0.id), value: $0.values.json)
                    }))
        }
        return inputs
    }

    private var wantsPRF: Bool {
        pseudoRandomInputs != nil || !pseudoRandomInputsByCredential.isEmpty
    }

    /// The outputs that these inputs explain: identifiers of client and authenticator outputs.
    var expected: Set<String> {
        var names = Set(others.names)
        if appID != nil { names.insert("appid") }
        if wantsPRF { names.formUnion(["prf", "hmac-secret", "hmacGetSecret"]) }
        if largeBlob != nil { names.formUnion(["largeBlob", "largeBlobKey"]) }
        if credentialBlob { names.formUnion(["credBlob", "getCredBlob"]) }
        if userVerificationMethod { names.insert("uvm") }
        return names
    }
}
