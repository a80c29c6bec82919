// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import ProviderCore
import Storage

/// A signed request of an identified device. ``DeviceRequest`` has the phases in which the kinds of
/// request differ.
struct DeviceCeremony<Request: DeviceRequest>: CeremonyPhases {
    let request: Request
    let call: DeviceRequestContext

    /// A verified message.
    struct Claim: Sendable {
        let message: Request.Verified
        /// The nonce to consume in the transaction of the change; `nil` if it was consumed.
        let nonce: OneTimeUse?
    }

    struct Proof: Sendable {
        let response: DeviceResponse
        let claims: PlatformSSO.VerifiedRequestClaims
        let nonce: OneTimeUse?
    }

    struct Change: CeremonyChange {
        let event: CeremonyEvent
        let response: PlatformSSOEndpoint.Response
    }

    var action: String { request.action }

    func identify(
        _ context: CeremonyContext
    ) async throws -> Result<DeviceRequestContext, CeremonyRefusal> { .success(call) }

    func verify(
        _ call: DeviceRequestContext
    ) async throws -> Result<Request.Verified, CeremonyRefusal> {
        try await request.verify(call).mapError { reason in
            // The ID of a device's key is not secret. A wrong credential is reported only to a
            // device that has signed.
            let refusal = Refusal(reason)
            return CeremonyRefusal(refusal, isStranger: !refusal.isWrongCredential)
        }
    }

    /// Consumes the nonce now, unless the transaction of the change does.
    func consume(
        _ message: Request.Verified, _ call: DeviceRequestContext
    ) async throws -> Result<Claim, CeremonyRefusal> {
        let nonces = call.nonces(for: .device)
        let text = request.facts(of: message).serverNonce
        guard request.consumesNonceLast(message) else {
            return try await nonces.consume(text)
                ? .success(Claim(message: message, nonce: nil)) : Self.usedNonce()
        }
        guard let nonce = nonces.check(text)?.use else { return Self.usedNonce() }
        return .success(Claim(message: message, nonce: nonce))
    }

    func prove(
        _ claim: Claim, _ call: DeviceRequestContext
    ) async throws -> Result<Proof, CeremonyRefusal> {
        var call = call
        call.nonce = claim.nonce
        return try await request.answer(claim.message, call).map {
            Proof(
                response: $0, claims: request.facts(of: claim.message), nonce: claim.nonce)
        }
    }

    /// The policy differs by request and was evaluated with the person.
    func decide(
        _ proof: Proof, _ call: DeviceRequestContext
    ) async throws -> CeremonyRefusal? { nil }

    /// Writes the change and a nonce that was not consumed before: of two requests with the same
    /// nonce, one succeeds. The response is sealed in the meantime, and discarded after a refusal.
    func commit(
        _ proof: Proof, _ call: DeviceRequestContext
    ) async throws -> Result<Change, CeremonyRefusal> {
        async let sealed = seal(proof, call)
        let person = proof.response.person
        var event = CeremonyEvent(person: person, recording: .done)
        switch proof.response.keeping {
        case .verb(let verb):
            if case .failure(let declined) = try await verb() { return .failure(declined) }
        case .saved: try await updateLastSeen(call)
        case .event:
            if let nonce = proof.nonce {
                let event = call.provider.audit.prepare(call.draft(action, person: person))
                guard try await call.context.store.challenges.markUsed(nonce, recording: event)
                else { return Self.usedNonce(by: person) }
            } else {
                event.recording = .due
            }
            try await updateLastSeen(call)
        }
        let response = PlatformSSOEndpoint.Response.sealed(
            try await sealed, mediaType: proof.response.type.mediaType)
        return .success(Change(event: event, response: response))
    }

    func respond(
        _ change: Change, _ call: DeviceRequestContext
    ) async throws -> PlatformSSOEndpoint.Response { change.response }

    private func seal(_ proof: Proof, _ call: DeviceRequestContext) async throws -> [UInt8] {
        try proof.claims.response.seal(
            try await proof.response.body(), type: proof.response.type,
            random: call.provider.random)
    }

    /// Updates the device's last contact at most once an hour, so that not every request causes a
    /// write.
    private func updateLastSeen(_ call: DeviceRequestContext) async throws {
        guard call.now - call.device.lastSeenAt >= Device.hearing else { return }
        try await call.context.store.devices.touch(device: call.device.id, now: call.now)
    }

    private static func usedNonce<Value>(
        by person: Identifier<Person>? = nil
    ) -> Result<Value, CeremonyRefusal> {
        .refused(
            .serverNonceRefused, because: "not ours, too old, or used before", person: person)
    }
}
