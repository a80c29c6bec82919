// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// A key request or key exchange (Apple "Supporting key requests and key exchange requests").
struct DeviceKeyRequest: DeviceRequest {
    let request: UnverifiedKeyRequest

    var action: String { "device.key" }

    func verify(
        _ call: DeviceRequestContext
    ) async throws -> Result<VerifiedKeyRequest, PlatformSSORefusal> {
        call.verifier.verify(request, device: call.registered.keys, now: call.now)
    }

    func facts(of verified: VerifiedKeyRequest) -> PlatformSSO.VerifiedRequestClaims {
        verified.facts
    }

    /// An exchange changes nothing, and only the device can decrypt the response.
    func consumesNonceLast(_ verified: VerifiedKeyRequest) -> Bool {
        if case .exchange = verified.operation { true } else { false }
    }

    func answer(
        _ verified: VerifiedKeyRequest, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal> {
        try await DeviceGrant.find(verified.refreshToken, call).continued { held in
            let person = held.person
            guard held.isRecent, held.isInUse(call) else {
                return .refused(
                    .refreshTokenRefused, because: "an old token", person: person.id)
            }
            guard try await call.context.lookup(of: verified.username, finds: person) else {
                return .refused(
                    .userMismatch, because: "the token is another person's", person: person.id)
            }
            let keys = UnlockKeys(
                provider: call.provider, device: call.device, person: person, now: call.now)
            return try await respond(verified.operation, keys, call)
        }
    }

    private func respond(
        _ operation: VerifiedKeyRequest.Operation, _ keys: UnlockKeys, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal> {
        switch operation {
        case .provision: try await provision(keys, call)
        case .exchange(let other, let context):
            try await exchange(with: other, context, keys, call)
        }
    }

    private func provision(
        _ keys: UnlockKeys, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal> {
        let lifetime = call.tenant.project.policy.platformSSO.unlockKeyLifetime
        guard let key = try await keys.provision(lifetime: .seconds(lifetime)) else {
            return .refused(
                .deviceUnknown, because: "the device has ended", person: keys.person.id)
        }
        let response = KeyResponse(
            .certificate(key.certificate), keyContext: try keys.context(of: key), now: call.now)
        return .success(
            DeviceResponse(person: keys.person.id, type: .keyResponse, keeping: .event) {
                response.json
            })
    }

    private func exchange(
        with other: PublicJWK, _ context: String?, _ keys: UnlockKeys, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal> {
        let person = keys.person.id
        guard let key = try await keys.key(of: context) else {
            return .refused(
                .keyContextRefused, because: "not a context of this device and person",
                person: person)
        }
        let own = try await keys.privateKey(of: key)
        let agreed: Secret
        do throws(PlatformSSORefusal) {
            agreed = try KeyResponse.agree(provisioned: own, other: other)
        } catch {
            return .failure(CeremonyRefusal(Refusal(error), person: person))
        }
        try await keys.noteUse(of: key)
        let response = KeyResponse(.key(agreed), keyContext: context, now: call.now)
        return .success(
            DeviceResponse(person: person, type: .keyResponse, keeping: .event) {
                response.json
            })
    }
}
