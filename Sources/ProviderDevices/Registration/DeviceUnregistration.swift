// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PlatformSSO
import Primitives
package import ProviderCore
import ProviderPeople
import Storage

/// Unregisters a device, or one person on it, at the request of the device, which signs the
/// request. The account of the person is not changed.
///
/// A repeated request is allowed if a response was lost: a person who is not registered counts as
/// removed, and an unknown device receives a refusal.
package struct DeviceUnregistration: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOEndpointInfo

    package static let deviceAction = "device.unregistration"
    package static let userAction = "device.user-unregistration"

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOEndpointInfo(context.tenant)
    }

    /// - Parameter body: `proof`, a JWS of the device's signing key. With `sub` in it, the person
    ///   with this name is removed from the device; without it, the device is unregistered.
    package func run(_ body: JSONObject) async throws -> Result<JSONObject, Refusal> {
        switch try await machine(body) {
        case .failure(let refusal):
            return .failure(try await context.refuseStranger(refusal, Self.deviceAction))
        case .success(let (device, username)):
            return .success(try await end(device, username))
        }
    }

    /// Returns the device that signed, and the username of the request.
    private func machine(
        _ body: JSONObject
    ) async throws -> Result<(Device, username: String?), Refusal> {
        let proof: PossessionProof
        do throws(PlatformSSORefusal) {
            proof = try PossessionProof(
                MessageClaims(body).requiredText("proof", maximumBytes: 8192), .unregistration)
        } catch { return .failure(Refusal(error)) }
        guard let keyID = proof.keyID else {
            return .failure(.platformSSO(.keyIDMalformed, "proof has no kid"))
        }
        let found = try await RegisteredDevice.find(
            keyID, in: context.tenant, context.provider, now: context.now)
        guard let found, found.isCurrent else {
            return .failure(.platformSSO(.deviceUnknown, "no device has that key now"))
        }
        let said: (nonce: String, username: String?)
        do throws(PlatformSSORefusal) {
            try proof.verify(
                by: found.keys.signing, audience: place.unregistrationURL, now: context.now)
            said = (
                try proof.claims.requiredText("nonce"),
                try proof.claims.text("sub", maximumBytes: 512)
            )
        } catch { return .failure(Refusal(error)) }
        guard try await context.nonces(for: .device).consume(said.nonce) else {
            return .failure(
                .platformSSO(.serverNonceRefused, "not ours, too old, or used before"))
        }
        return .success((found.device, said.username))
    }

    private func end(_ device: Device, _ username: String?) async throws -> JSONObject {
        var person: Identifier<Person>?
        let wasThere: Bool
        if let username {
            person = try await context.person(calling: username)?.id
            wasThere =
                if let person {
                    try await context.store.devices.remove(
                        user: person, from: device.id, now: context.now)
                } else { false }
        } else {
            wasThere = try await context.store.devices.revoke(
                device: device.id, of: context.project, now: context.now)
        }
        let details: JSONValue = [
            "device": .string(device.id.description), "removed": .bool(wasThere),
        ]
        try await context.provider.audit.record(
            AuditEventDraft(
                username == nil ? Self.deviceAction : Self.userAction, in: context.project,
                facts: context.facts, person: person, clientID: place.policy.clientID,
                details: details.text))
        return JSONObject([.init(name: "removed", value: .bool(wasThere))])
    }
}
