// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// The grant of a refresh token that a device has sent, with its person.
struct DeviceGrant: Sendable {
    let grant: Grant
    /// The generation of the token: the current one or an earlier one.
    let generation: Int64
    let person: Person

    /// Finds the grant without a rotation. The token is invalid for other devices and at the token
    /// endpoint.
    static func find(
        _ token: Secret, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceGrant, CeremonyRefusal> {
        guard
            let shown = RefreshToken(
                token.revealText(), for: call.client.client.id, on: call.device.id,
                secrets: call.provider.secrets)
        else {
            return .refused(.refreshTokenRefused, because: "not a refresh token of this device")
        }
        let found = try await call.context.store.grants.grantWithPerson(shown.grant)
        guard let (grant, person) = found, grant.device == call.device.id,
            grant.project == call.context.project, grant.revokedAt == nil,
            grant.expiresAt > call.now
        else { return .refused(.refreshTokenRefused, because: "the grant is not active") }
        guard !person.disabled else {
            return .refused(
                .refreshTokenRefused, because: "the person is disabled", person: grant.person)
        }
        return .success(
            DeviceGrant(grant: grant, generation: shown.generation, person: person))
    }

    /// Whether the token is the newest or the previous one. A device that refreshes and unlocks
    /// concurrently can send either.
    var isRecent: Bool {
        generation == grant.generation || generation == grant.generation - 1
    }

    /// Whether the last rotation is within the project's idle lifetime.
    func isInUse(_ call: DeviceRequestContext) -> Bool {
        let idle = call.tenant.project.policy.refreshTokenIdleLifetime
        return call.now - grant.rotatedAt < .seconds(idle)
    }
}
