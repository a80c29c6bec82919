// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import PIN
import Primitives
import ProviderCore
import Storage

/// The PIN of a new installation. The key has signed the first message of the protocol, for the
/// nonce of the registration.
struct PINOffer: Sendable {
    let request: UnverifiedPINRequest
    private let transportKey: PINTransportPublicKey
    /// The record of a key without a PIN.
    private let blank: PINRecord
    private let binding: PINBinding

    /// Returns `nil` if the message is not for this key, nonce and issuer.
    init?(_ text: String, by key: InstallationKey, nonce: StatelessNonce.Genuine, issuer: String) {
        guard let request = UnverifiedPINRequest(compact: Array(text.utf8)),
            request.nonce.text.hasSameBytes(as: nonce.text),
            let transportKey = request.offeredKey(by: key.jwk, issuer: issuer),
            let blank = PINRecord(registering: key.jwk)
        else { return nil }
        self.request = request
        self.transportKey = transportKey
        self.blank = blank
        binding = PINBinding(issuer: issuer, keyID: request.keyID)
    }

    /// The challenge for attestations instead of ``KeyBinding/bytes``: nonce, key and transport
    /// key.
    var challenge: [UInt8] {
        PINRegistrationChallenge.bytes(binding, nonce: request.nonce, transportKey: transportKey)
    }

    /// Creates the first secret, to be stored with the installation, and its delivery.
    func accept(
        of installation: Installation, in context: CeremonyContext
    ) async throws -> (stored: StoredPIN, answer: PINResponse)? {
        let verifier = try await ProjectPINStore.verifier(
            of: request, at: context.tenant, in: context.provider)
        let judgement = try verifier.register(request, blank)
        guard case .offered(let secret) = judgement.outcome, let record = judgement.successor
        else { return nil }
        let signer = try await ProjectPINStore.signer(of: context.tenant, in: context.provider)
        let delivery = try signer.delivery(
            of: secret, to: request.keyID, answering: request.nonce)
        let stored = StoredPIN(
            project: context.project, keyID: request.keyID.bytes, installation: installation.id,
            person: installation.person, publicJWK: record.publicKey.json.text,
            content: String(decoding: record.json, as: UTF8.self), revision: record.revision,
            createdAt: context.now)
        return (stored, .delivery(delivery))
    }

    /// The response to a registration that is repeated because its first response was lost.
    func repeated(
        _ method: AppRegistrationMethod, _ action: String, in context: CeremonyContext
    ) async throws -> PINResponse {
        let pins = ProjectPINStore(
            context.provider, tenant: context.tenant, facts: context.facts,
            nonces: .registration(method),
            draft: AuditEventDraft(action, in: context.project, facts: context.facts))
        guard try await pins.pinRecord(of: request.keyID) != nil else { return .refused }
        return try await pins.endpoint(for: request).register(
            request, key: blank, now: context.now
        ).answer
    }
}
