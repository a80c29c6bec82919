// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The extensions of a sign-in: the inputs for the key, and its outputs for the relying party.
/// Outputs without an input are dropped.
struct AssertionInputs: Sendable {
    let extensions: GetAssertionExtensions?
    private let requested: AssertionExtensionInputs
    private let salts: PRFSalts?

    init(
        _ ceremony: AssertionCeremony, allowList: [CTAPCredentialDescriptor]?, verified: Bool
    ) async throws(SecurityKeyError) {
        let (requested, info) = (ceremony.options.extensions, ceremony.info)
        self.requested = requested
        var inputs = GetAssertionExtensions()
        if requested.getCredBlob, info.has(extension: "credBlob") { inputs.credBlob = true }
        if requested.largeBlob != nil, info.has(extension: "largeBlobKey") {
            inputs.largeBlobKey = true
        }
        if verified || requested.prf?.needsVerification == false,
            info.has(extension: "hmac-secret"),
            let values = Self.prfValues(requested.prf, allowList)
        {
            let agreement = try await PINAgreement(with: ceremony.key, random: ceremony.random)
            let salts = try PRFSalts(values, agreement)
            inputs.hmacSecret = salts.input
            self.salts = salts
        } else {
            salts = nil
        }
        extensions = inputs.cbor == nil ? nil : inputs
    }

    /// Inputs for this credential take precedence over those for any credential.
    private static func prfValues(
        _ request: PRFRequest?, _ allowList: [CTAPCredentialDescriptor]?
    ) -> PRFRequest.Values? {
        if let request, let allowList, allowList.count == 1,
            let own = request.evalByCredential[allowList[0].id]
        {
            return own
        }
        return request?.eval
    }

    /// The client extension results (WebAuthn section 10.1).
    func results(
        _ reply: AssertionReply, _ largeBlob: AssertionLargeBlob, usedAppId: Bool
    ) async throws(SecurityKeyError) -> JSONObject {
        var results = JSONObject()
        if requested.appId != nil { results["appid"] = .bool(usedAppId) }
        if requested.getCredBlob, let blob = reply.outputs.credBlob {
            results["getCredBlob"] = .string(Base64URL.encode(blob))
        }
        if requested.prf != nil {
            var prf = JSONObject()
            if let salts, let encrypted = reply.outputs.hmacSecret {
                prf["results"] = try salts.results(encrypted)
            }
            results["prf"] = .object(prf)
        }
        if let request = requested.largeBlob {
            results["largeBlob"] = try await largeBlob.result(request, reply)
        }
        return results
    }
}
