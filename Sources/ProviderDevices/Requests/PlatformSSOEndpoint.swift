// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
package import ProviderCore
import ProviderTokens
import Storage

/// The endpoint for the signed requests of devices: login, refresh, key request and key exchange.
///
/// All kinds run the same phases: identify the device → verify the message → consume the nonce →
/// authenticate the person → policy → issue → seal.
package struct PlatformSSOEndpoint: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOEndpointInfo

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOEndpointInfo(context.tenant)
    }

    /// The response to the device.
    package enum Response: Sendable {
        /// JSON with a nonce.
        case nonce([UInt8])
        /// A compact JWE.
        case sealed([UInt8], mediaType: String)
    }

    /// - Parameter fields: the fields of the form.
    package func respond(
        to fields: [(name: String, value: String)]
    ) async throws -> Result<Response, Refusal> {
        let form: RequestForm
        let request: UnverifiedRequest
        do throws(PlatformSSORefusal) {
            form = try RequestForm(fields.map { FormField($0.name, $0.value) })
            guard case .request(let version, let message) = form else {
                let nonces = PlatformSSONonceIssuer(context.provider, of: context.tenant)
                return .success(.nonce(NonceExchange.answer(nonces.make(now: context.now))))
            }
            request = try UnverifiedRequest(compact: Array(message.utf8))
            if case .key = request, version != .v2 {
                throw PlatformSSORefusal(.versionUnsupported, "key requests are of version 2.0")
            }
        } catch {
            return await refuseStranger(error)
        }
        return try await dispatch(request)
    }

    private func dispatch(_ request: UnverifiedRequest) async throws -> Result<Response, Refusal> {
        // 1. Identify the device.
        let found = try await RegisteredDevice.find(
            request.message.signingKeyID, in: context.tenant, context.provider, now: context.now)
        guard let found else {
            return await refuseStranger(
                PlatformSSORefusal(.deviceUnknown, "no active device has that signing key"))
        }
        let client = try await PlatformSSOClient(
            provider: context.provider, tenant: context.tenant
        ).find()
        guard let client else {
            return await refuseStranger(PlatformSSORefusal(.clientMismatch, "client disabled"))
        }
        let call = DeviceRequestContext(
            context: context, place: place, registered: found, client: client)
        return switch request {
        case .login(let login): try await run(DeviceLogin(request: login), call)
        case .refresh(let refresh): try await run(DeviceRefresh(request: refresh), call)
        case .key(let key): try await run(DeviceKeyRequest(request: key), call)
        case .authorization:
            await refuseStranger(
                PlatformSSORefusal(
                    .grantUnsupported, "authorization requests are posted to authorize"))
        }
    }

    private func run<Request: DeviceRequest>(
        _ request: Request, _ call: DeviceRequestContext
    ) async throws -> Result<Response, Refusal> {
        let outcome = try await earn(request, call).continued {
            try await finish($0, request.action, call)
        }
        switch outcome {
        case .success(let answer): return .success(answer)
        case .failure(let declined):
            context.log(declined.refusal, of: "device request")
            try await context.record(
                call.draft(request.action, refusal: declined.refusal, person: declined.person),
                of: declined)
            return .failure(declined.refusal)
        }
    }

    // 7. Seal while the change is written. The response is sent when the change is durable.
    private func finish(
        _ earned: Earned, _ action: String, _ call: DeviceRequestContext
    ) async throws -> Result<Response, CeremonyRefusal> {
        async let sealed = seal(earned)
        if case .failure(let declined) = try await save(earned, action, call) {
            return .failure(declined)
        }
        return .success(.sealed(try await sealed, mediaType: earned.answer.type.mediaType))
    }

    private func seal(_ earned: Earned) async throws -> [UInt8] {
        try earned.facts.response.seal(
            try await earned.answer.body(), type: earned.answer.type,
            random: context.provider.random)
    }

    private struct Earned {
        let answer: DeviceResponse
        let facts: PlatformSSO.VerifiedRequestClaims
        /// The nonce to consume, unless ``DeviceResponse/keeping`` consumes it.
        let nonce: OneTimeUse?
    }

    /// Phases 2 to 6.
    private func earn<Request: DeviceRequest>(
        _ request: Request, _ call: DeviceRequestContext
    ) async throws -> Result<Earned, CeremonyRefusal> {
        // 2. Verify the message.
        let verified: Request.Verified
        switch try await request.verify(call) {
        case .success(let message): verified = message
        case .failure(let reason):
            // The ID of a device's key is not secret. A wrong credential is reported only to a
            // device that has signed.
            let refusal = Refusal(reason)
            return .failure(CeremonyRefusal(refusal, isStranger: !refusal.isWrongCredential))
        }
        // 3. Consume the nonce: now, or in the transaction of the change.
        let facts = request.facts(of: verified)
        let nonces = PlatformSSONonceIssuer(context.provider, of: context.tenant)
        var call = call
        if request.consumesNonceLast(verified) {
            call.nonce = nonces.use(of: facts.serverNonce, now: context.now)
            guard call.nonce != nil else { return Self.usedNonce() }
        } else {
            guard try await nonces.consume(facts.serverNonce, now: context.now) else {
                return Self.usedNonce()
            }
        }
        let nonce = call.nonce
        return try await request.answer(verified, call)
            .map { Earned(answer: $0, facts: facts, nonce: nonce) }
    }

    /// Writes the change, or at least its audit event, and consumes a nonce that was not consumed
    /// before. Of two requests with the same nonce, one succeeds.
    private func save(
        _ earned: Earned, _ action: String, _ call: DeviceRequestContext
    ) async throws -> Result<Void, CeremonyRefusal> {
        let audit = context.provider.audit
        let draft = call.draft(action, person: earned.answer.person)
        switch earned.answer.keeping {
        case .verb(let verb):
            return try await verb().map { audit.wasRecorded(draft) }
        case .saved: audit.wasRecorded(draft)
        case .event:
            guard try await write(draft, using: earned.nonce) else {
                return Self.usedNonce(by: earned.answer.person)
            }
        }
        try await noteUse(of: call.device)
        return .success(())
    }

    private func write(_ draft: AuditEventDraft, using nonce: OneTimeUse?) async throws -> Bool {
        let audit = context.provider.audit
        guard let nonce else {
            try await audit.record(draft)
            return true
        }
        let isFirst = try await context.store.challenges.markUsed(
            nonce, recording: audit.prepare(draft))
        if isFirst { audit.wasRecorded(draft) }
        return isFirst
    }

    private static func usedNonce<Value>(
        by person: Identifier<Person>? = nil
    ) -> Result<Value, CeremonyRefusal> {
        .refused(
            .serverNonceRefused, because: "not ours, too old, or used before", person: person)
    }

    /// Updates the device's last contact at most once an hour, so that not every request causes a
    /// write.
    private func noteUse(of device: Device) async throws {
        guard context.now - device.lastSeenAt >= Device.hearing else { return }
        try await context.store.devices.touch(device: device.id, now: context.now)
    }

    /// The audit log aggregates refusals of unauthenticated senders, because their number is
    /// unbounded.
    private func refuseStranger(
        _ reason: PlatformSSORefusal
    ) async -> Result<Response, Refusal> {
        let refusal = Refusal(reason)
        context.log(refusal, of: "device request")
        await context.provider.audit.count(
            AuditEventDraft(
                "device.request", in: context.project, facts: context.facts, code: refusal.code))
        return .failure(refusal)
    }
}
