// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The extensions of a registration: the inputs for the key, and its outputs for the relying party.
/// Outputs without an input are dropped.
struct RegistrationInputs: Sendable {
    let extensions: MakeCredentialExtensions?
    private let requested: RegistrationExtensionInputs
    private let salts: PRFSalts?

    init(_ creation: CredentialCreation, verified: Bool) async throws(SecurityKeyError) {
        let (requested, info) = (creation.options.extensions, creation.info)
        self.requested = requested
        var inputs = MakeCredentialExtensions()
        try Self.protect(&inputs, requested, info)
        if let blob = requested.credBlob, info.has(extension: "credBlob"),
            blob.count <= info.maxCredBlobLength ?? 0
        {
            inputs.credBlob = blob
        }
        if requested.minPinLength, info.has(extension: "minPinLength") {
            inputs.minPinLength = true
        }
        if requested.pinComplexityPolicy, info.has(extension: "pinComplexityPolicy") {
            inputs.pinComplexityPolicy = true
        }
        try Self.largeBlob(&inputs, requested, info)
        let wantsHMAC = requested.hmacCreateSecret || requested.prf != nil
        if wantsHMAC, info.has(extension: "hmac-secret") { inputs.hmacSecret = true }
        if verified, let values = requested.prf?.eval, info.has(extension: "hmac-secret-mc") {
            let agreement = try await PINAgreement(with: creation.key, random: creation.random)
            let salts = try PRFSalts(values, agreement)
            inputs.hmacSecretMC = salts.input
            self.salts = salts
        } else {
            salts = nil
        }
        extensions = inputs.cbor == nil ? nil : inputs
    }

    private static func protect(
        _ inputs: inout MakeCredentialExtensions, _ requested: RegistrationExtensionInputs,
        _ info: AuthenticatorInfo
    ) throws(SecurityKeyError) {
        guard let protection = requested.credentialProtection else { return }
        if info.has(extension: "credProtect") {
            inputs.credProtect = protection.rawValue
        } else if requested.enforceCredentialProtection, protection != .optional {
            throw .unsupported("protection of credentials")
        }
    }

    private static func largeBlob(
        _ inputs: inout MakeCredentialExtensions, _ requested: RegistrationExtensionInputs,
        _ info: AuthenticatorInfo
    ) throws(SecurityKeyError) {
        guard let support = requested.largeBlob else { return }
        if info.has(option: "largeBlobs"), info.has(extension: "largeBlobKey") {
            inputs.largeBlobKey = true
        } else if support == .required {
            throw .unsupported("storage for large blobs")
        }
    }

    /// The client extension results (WebAuthn section 10.1).
    func results(
        _ reply: CreationReply, discoverable: Bool
    ) throws(SecurityKeyError) -> JSONObject {
        if requested.enforceCredentialProtection, let wanted = extensions?.credProtect,
            reply.outputs.credProtect ?? 0 < wanted
        {
            throw .untrustworthyReply("weaker protection than was requested")
        }
        var results = JSONObject()
        if requested.credProps { results["credProps"] = ["rk": .bool(discoverable)] }
        if requested.credBlob != nil { results["credBlob"] = .bool(reply.outputs.credBlob == true) }
        if requested.hmacCreateSecret {
            results["hmacCreateSecret"] = .bool(reply.outputs.hmacSecret == true)
        }
        if requested.largeBlob != nil {
            results["largeBlob"] = ["supported": .bool(reply.response.largeBlobKey != nil)]
        }
        if requested.prf != nil { results["prf"] = try prf(reply) }
        return results
    }

    private func prf(_ reply: CreationReply) throws(SecurityKeyError) -> JSONValue {
        var prf = JSONObject()
        prf["enabled"] = .bool(reply.outputs.hmacSecret == true)
        if let salts, let encrypted = reply.outputs.hmacSecretMC {
            prf["results"] = try salts.results(encrypted)
        }
        return .object(prf)
    }
}
