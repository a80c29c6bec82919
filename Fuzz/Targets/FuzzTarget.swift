// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One parser under fire.
struct FuzzTarget: Sendable {
    let name: String
    /// Returns for every input; a broken property traps.
    let run: @Sendable ([UInt8]) -> Void

    /// Every target, by the name of its seed folder.
    static let all: [FuzzTarget] = [
        json, jws, jwe, jwk, claims, base64url, cbor, authenticatorData, attestationObject,
        clientData, coseKey, webauthnResponse, metadataPayload, revocationList, extensions,
        statusEvidence, certificateNames, tpmPublicArea, tpmAttestationData, keyDescription,
        mlDSASignature, document, form, cookies, requestTarget, ctapRequest, ctapReply, apdu,
        ctapHID, pinRequest, pinAnswer, pinState, pinPolicy, pinProofKey,
        pinTransportKey, propertyList, profile, siteAssociation,
        httpAddress, platformSSO, platformSSOClaims, predicate, webLoginCallback, appAttest,
        appAttestReceipt, androidFacts, attestationChain, revocationStatus, integrityVerdict,
        deviceCheckAnswer, fingerprint, pem, registrationRequest, deviceRegistration,
        upstreamMetadata, agentMessage, extensionMessage, extensionManifest, clientInput,
        identityProviderAnswer, dpopProof, applicationVersion, tpmObject, tpmQuoteData,
        samlAssertion, tokenService, approvalAnswer, backchannelRequest, admission,
        sealedMasterKey,
    ]
}

/// The target of this run: libFuzzer's callback can carry nothing.
///
/// The whole target, not its closure: a bare closure would be wrapped once more each time that it
/// is taken out, until the stack ends.
let chosen = Mutex<FuzzTarget?>(nil)
