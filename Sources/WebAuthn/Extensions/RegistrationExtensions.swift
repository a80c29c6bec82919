// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// The extensions that are requested of client and authenticator for a new credential
/// (`AuthenticationExtensionsClientInputs`, sections 9 and 10; CTAP 2.1 section 12).
package struct RegistrationExtensions: Sendable, Equatable {
    package enum LargeBlobSupport: String, Sendable {
        case required, preferred
    }

    /// Whether to request if the credential is discoverable (section 10.1.3).
    package var credentialProperties = false
    /// Set up the pseudo-random function (section 10.1.4).
    package var pseudoRandomFunction = false
    /// Evaluate it at once, where the authenticator can.
    package var pseudoRandomInputs: PRFValues?
    /// The requested support of a large blob (section 10.1.5).
    package var largeBlob: LargeBlobSupport?
    package var credentialProtection: CredentialProtectionPolicy?
    /// Whether the client must fail if the authenticator cannot provide the requested protection.
    package var enforcesCredentialProtection = false
    /// Whether to request the authenticator's minimum PIN length.
    package var minimumPINLength = false
    /// At most 32 bytes to store with the credential.
    package var credentialBlob: [UInt8]?
    /// Exclude U2F keys that were registered under this AppID (section 10.1.2).
    package var appIDExclude: String?
    /// Whether to request the user verification method.
    package var userVerificationMethod = false
    /// Other inputs, sent to the client unchanged. Their outputs are passed on without validation.
    package var others = JSONObject()

    package init() {}

    /// The JSON for the client.
    package var json: JSONObject {
        var inputs = others
        if credentialProperties { inputs["credProps"] = true }
        if let pseudoRandomInputs {
            inputs["prf"] = ["eval": pseudoRandomInputs.json]
        } else if pseudoRandomFunction {
            inputs["prf"] = [:]
        }
        if let largeBlob { inputs["largeBlob"] = ["support": .string(largeBlob.rawValue)] }
        if let credentialProtection {
            inputs["credentialProtectionPolicy"] = .string(credentialProtection.name)
            inputs["enforceCredentialProtectionPolicy"] = .bool(enforcesCredentialProtection)
        }
        if minimumPINLength { inputs["minPinLength"] = true }
        if let credentialBlob { inputs["credBlob"] = .string(Base64URL.encode(credentialBlob)) }
        if let appIDExclude { inputs["appidExclude"] = .string(appIDExclude) }
        if userVerificationMethod { inputs["uvm"] = true }
        return inputs
    }

    private var wantsPRF: Bool { pseudoRandomFunction || pseudoRandomInputs != nil }

    /// The outputs that these inputs explain: identifiers of client and authenticator outputs.
    var expected: Set<String> {
        var names = Set(others.names)
        if credentialProperties { names.insert("credProps") }
        if wantsPRF {
            names.formUnion(["prf", "hmac-secret", "hmacCreateSecret", "hmac-secret-mc"])
        }
        if largeBlob != nil { names.formUnion(["largeBlob", "largeBlobKey"]) }
        if credentialProtection != nil {
            names.formUnion(["credProtect", "credentialProtectionPolicy"])
        }
        if minimumPINLength { names.insert("minPinLength") }
        if credentialBlob != nil { names.insert("credBlob") }
        if appIDExclude != nil { names.insert("appidExclude") }
        if userVerificationMethod { names.insert("uvm") }
        return names
    }
}
