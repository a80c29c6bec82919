// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import ProviderCore
import Storage

/// A refresh request (Apple "Creating a refresh request"). It rotates the token with the same grace
/// period as the token endpoint, until the project requires a full login.
struct DeviceRefresh: DeviceRequest {
    let request: UnverifiedRefreshRequest
    let action = "device.refresh"

    func verify(
        _ call: DeviceRequestContext
    ) async throws -> Result<VerifiedRefreshRequest, PlatformSSORefusal> {
        call.verifier.verify(request, device: call.registered.keys, now: call.now)
    }

    func facts(of verified: VerifiedRefreshRequest) -> PlatformSSO.VerifiedRequestClaims {
        verified.facts
    }

    func answer(
        _ verified: VerifiedRefreshRequest, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal> {
        try await DeviceGrant.find(verified.refreshToken, call).continued { held in
            let policy = call.tenant.project.policy
            let fullLogin = held.grant.authenticatedAt + .seconds(policy.platformSSO.loginFrequency)
            guard call.now < fullLogin else {
                return .refused(
                    .refreshTokenRefused, because: "a full login is due", person: held.person.id)
            }
            if let refusal = DeviceSignInPolicy(call: call).refusal(
                of: held.person, contextClass: GrantedContext(held.grant).contextClass)
            {
                return .failure(CeremonyRefusal(refusal, person: held.person.id))
            }
            return try await rotate(held, verified, call)
        }
    }

    private func rotate(
        _ held: DeviceGrant, _ verified: VerifiedRefreshRequest, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal> {
        let policy = call.tenant.project.policy
        let draft = call.draft(action, person: held.person.id)
        let outcome = try await call.context.store.grants.rotateRefreshToken(
            grant: held.grant.id, generation: held.generation,
            idleLifetime: .seconds(policy.refreshTokenIdleLifetime),
            grace: .seconds(policy.refreshGrace), now: call.now,
            recording: call.provider.audit.prepare(draft))
        let (grant, keeping): (Grant, DeviceResponse.Keeping)
        switch outcome {
        case .rotated(let moved): (grant, keeping) = (moved, .saved)
        case .replayed(let moved): (grant, keeping) = (moved, .event)
        case .reused:
            return .refused(
                .refreshTokenRefused, because: "reuse of a rotated token: family revoked",
                person: held.person.id)
        case .unknown:
            return .refused(
                .refreshTokenRefused, because: "the token family is revoked", person: held.person.id
            )
        }
        let tokens = DeviceTokens(call: call, person: held.person)
        return .success(
            DeviceResponse(person: held.person.id, type: .loginResponse, keeping: keeping) {
                try await tokens.answer(
                    grant, to: verified.facts, groups: verified.requestedGroups)
            })
    }
}
