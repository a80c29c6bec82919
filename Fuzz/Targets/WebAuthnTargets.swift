// SPDX-License-Identifier: Apache-2.0
import WebAuthn

extension FuzzTarget {
    /// What authenticator data say of themselves adds up to their length.
    static let authenticatorData = FuzzTarget(name: "authenticator-data") { bytes in
        guard let data = try? AuthenticatorData(bytes[...]) else { return }
        let credential = data.attestedCredential.map {
            18 + $0.credentialId.count + $0.publicKeyBytes.count
        }
        let extensions = data.extensions?.bytes.count
        precondition(
            37 + (credential ?? 0) + (extensions ?? 0) == bytes.count, "bytes were overlooked")
    }

    /// An attestation object holds authenticator data that can be read alone.
    static let attestationObject = FuzzTarget(name: "attestation-object") { bytes in
        guard let object = try? AttestationObject(cbor: bytes) else { return }
        precondition((try? AuthenticatorData(object.authenticatorData.bytes)) != nil)
    }

    static let clientData = FuzzTarget(name: "client-data") { bytes in
        guard let data = try? ClientData(json: bytes) else { return }
        precondition(!data.type.isEmpty && !data.origin.isEmpty)
    }

    /// No parsed key accepts random bytes as a signature.
    static let coseKey = FuzzTarget(name: "cose-key") { bytes in
        guard let key = try? COSEPublicKey(cbor: bytes[...]) else { return }
        precondition(!key.isValid(signature: bytes[...], over: bytes[...], []), "a forgery")
    }

    /// Both responses, from the JSON on.
    static let webauthnResponse = FuzzTarget(name: "webauthn-response") { bytes in
        _ = try? UnverifiedRegistration(json: bytes)
        _ = try? UnverifiedAssertion(json: bytes)
    }
}
