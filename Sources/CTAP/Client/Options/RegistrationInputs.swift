// SPDX-License-Identifier: Apache-2.0
import JOSE
import WebAuthn

/// The extensions of a registration: the inputs for the key, and its outputs for the relying party.
/// Outputs without an input are dropped.
struct RegistrationInputs: Sendable {
    let extensions: MakeCredentialExtensions?
    private let asked: RegistrationExtensionInputs
    private let salts: PRFSalts?

    init(_ creation: CredentialCreation, verified: Bool) async throws(SecurityKeyError) {
        let (asked, info) = (creation.options.extensions, creation.info)
        self.asked = asked
        var inputs = MakeCredentialExtensions()
        try Self.protect(&inputs, asked, info)
        if let blob = asked.credBlob, info.has(extension: "credBlob"),
            blob.count <= info.maxCredBlobLength ?? 0
        {
            inputs.credBlob = blob
        }
        if asked.minPinLength, info.has(extension: "minPinLength") { inputs.minPinLength = true }
        if asked.pinComplexityPolicy, info.has(extension: "pinComplexityPolicy") {
            inputs.pinComplexityPolicy = true
        }
        try Self.largeBlob(&inputs, asked, info)
        let wantsHMAC = asked.hmacCreateSecret || asked.prf != nil
        if wantsHMAC, info.has(extension: "hmac-secret") { inputs.hmacSecret = true }
        if verified, let values = asked.prf?.eval, info.has(extension: "hmac-secret-mc") {
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
        _ inputs: inout MakeCredentialExtensions, _ asked: RegistrationExtensionInputs,
        _ info: AuthenticatorInfo
    ) throws(SecurityKeyError) {
        guard let protection = asked.credentialProtection else { return }
        if info.has(extension: "credProtect") {
            inputs.credProtect = protection.rawValue
        } else if asked.enforceCredentialProtection, protection != .optional {
            throw .unsupported("protection of credentials")
        }
    }

    private static func largeBlob(
        _ inputs: inout MakeCredentialExtensions, _ asked: RegistrationExtensionInputs,
        _ info: AuthenticatorInfo
    ) throws(SecurityKeyError) {
        guard let support = asked.largeBlob else { return }
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
        if asked.enforceCredentialProtection, let wanted = extensions?.credProtect,
            reply.outputs.credProtect ?? 0 < wanted
        {
            throw .untrustworthyReply("weaker protection than was asked for")
        }
        var results = JSONObject()
        if asked.credProps { results["credProps"] = ["rk": .bool(discoverable)] }
        if asked.credBlob != nil { results["credBlob"] = .bool(reply.outputs.credBlob == true) }
        if asked.hmacCreateSecret {
            results["hmacCreateSecret"] = .bool(reply.outputs.hmacSecret == true)
        }
        if asked.largeBlob != nil {
            results["largeBlob"] = ["supported": .bool(reply.response.largeBlobKey != nil)]
        }
        if asked.prf != nil { results["prf"] = try prf(reply) }
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
