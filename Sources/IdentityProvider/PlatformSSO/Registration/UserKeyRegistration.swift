// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PlatformSSO
import Primitives
import Storage

/// Registers the key that a device's hardware holds for one person: the device signs for it, the
/// key signs for itself, and the person has just signed in.
///
/// People who use a password need no registration of their own: their first login is it.
package struct UserKeyRegistration: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOPlace

    package static let action = "device.user-registration"

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOPlace(context.tenant)
    }

    private struct Message {
        let key: PublicJWK
        let deviceProof: PossessionProof
        let keyProof: PossessionProof
        let deviceKeyID: KeyIdentifier
        let refreshToken: Secret?

        init(_ body: JSONObject) throws(PlatformSSORefusal) {
            let claims = MessageClaims(body)
            guard let key = body["user_key"] else {
                throw PlatformSSORefusal(.claimMissing, "user_key is missing")
            }
            self.key = try DevicePublicKey.read(key)
            if let text = try claims.text("user_key_id") {
                _ = try KeyIdentifier.confirm(text, of: self.key)
            }
            deviceProof = try PossessionProof(
                claims.requiredText("device_proof", maximumBytes: 8192), .user)
            keyProof = try PossessionProof(
                claims.requiredText("user_key_proof", maximumBytes: 8192), .user)
            guard let keyID = deviceProof.keyID else {
                throw PlatformSSORefusal(.keyIDMalformed, "device_proof has no kid")
            }
            deviceKeyID = keyID
            refreshToken = try claims.secret("refresh_token")
        }
    }

    /// - Parameter accessToken: of the person, unless the body has a refresh token of this device.
    package func run(
        _ body: JSONObject, accessToken: String?
    ) async throws -> Result<JSONObject, Refusal> {
        let message: Message
        do throws(PlatformSSORefusal) { message = try Message(body) } catch {
            return await refuseStranger(Refusal(error))
        }
        guard place.allows(.userKey) else {
            return await refuseStranger(.platformSSO(.grantUnsupported, "user_key is not allowed"))
        }
        let found = try await RegisteredDevice.find(
            message.deviceKeyID, in: context.tenant, context.provider, now: context.now)
        guard let registered = found,
            let client = try await PlatformSSOClient(
                provider: context.provider, tenant: context.tenant
            ).find()
        else { return await refuseStranger(.platformSSO(.deviceUnknown, "no such device")) }
        let call = DeviceCall(
            context: context, place: place, registered: registered, client: client)
        let outcome = try await register(message, accessToken, call)
        return try await settle(outcome, call)
    }

    private func register(
        _ message: Message, _ accessToken: String?, _ call: DeviceCall
    ) async throws -> Result<Person, Declined> {
        let (nonce, username): (String, String)
        do throws(PlatformSSORefusal) {
            (nonce, username) = try possession(message, call)
        } catch {
            return .failure(Declined(Refusal(error)))
        }
        let nonces = ServerNonces(context.provider, of: context.tenant)
        guard try await nonces.consume(nonce, now: context.now) else {
            return .refused(.serverNonceRefused, because: "not ours, too old, or used before")
        }
        return try await person(message, accessToken, call).continued { person in
            guard UserName.canonical(username) == person.username else {
                return .refused(
                    .userMismatch, because: "the proofs name somebody else", person: person.id)
            }
            return try await bind(message, person, username, call)
        }
    }

    /// Both proofs say the same: this key, for this person, on this device, for this nonce.
    private func possession(
        _ message: Message, _ call: DeviceCall
    ) throws(PlatformSSORefusal) -> (nonce: String, username: String) {
        let signing = call.registered.keys.signing
        let proofs = [(message.deviceProof, signing), (message.keyProof, message.key)]
        for (proof, key) in proofs {
            try proof.verify(by: key, audience: place.usersURL, now: call.now)
            try proof.names(signing, in: "device_key")
            try proof.names(message.key, in: "user_key")
        }
        let (own, other) = (message.deviceProof.claims, message.keyProof.claims)
        let nonce = try own.requiredText("nonce")
        let username = try own.requiredText("sub", maximumBytes: 512)
        guard nonce.hasSameBytes(as: try other.requiredText("nonce")) else {
            throw PlatformSSORefusal(.serverNonceMismatch, "the proofs have different nonces")
        }
        guard username.hasSameBytes(as: try other.requiredText("sub", maximumBytes: 512)) else {
            throw PlatformSSORefusal(.userMismatch, "the proofs name different people")
        }
        return (nonce, username)
    }

    private func person(
        _ message: Message, _ accessToken: String?, _ call: DeviceCall
    ) async throws -> Result<Person, Declined> {
        let evidence = DeviceRegistrationEvidence(context)
        if let token = message.refreshToken {
            return try await DeviceGrant.find(token, call).continued { held in
                guard held.isRecent, held.isInUse(call) else {
                    return .refused(.refreshTokenRefused, because: "an old token")
                }
                return evidence.person(of: held).mapError { Declined($0, person: held.person.id) }
            }
        }
        guard let accessToken else {
            return .failure(Declined(DeviceRegistrationEvidence.refused("neither token")))
        }
        return try await evidence.person(accessToken: accessToken).mapError { Declined($0) }
    }

    private func bind(
        _ message: Message, _ person: Person, _ username: String, _ call: DeviceCall
    ) async throws -> Result<Person, Declined> {
        let user = DeviceUser(
            project: context.project, device: call.device.id, person: person.id,
            method: .userKey, loginName: username, registeredAt: context.now)
        let key = DeviceKey(
            kid: KeyIdentifier(message.key).digest, project: context.project,
            device: call.device.id, person: person.id, use: .user,
            publicJWK: message.key.json.text, createdAt: context.now)
        switch try await context.store.register(user, key: key, now: context.now) {
        case .done: return .success(person)
        case .ended:
            return .refused(.deviceUnknown, because: "device or person ended", person: person.id)
        case .anothersDevice:
            return .refused(
                .userMismatch, because: "the device is another person's", person: person.id)
        case .keyTaken:
            let refusal = Refusal(
                "key_taken", "This key was registered before. Make a new one.",
                reason: "a key of another person, device or use, or ended")
            return .failure(Declined(refusal, person: person.id))
        }
    }

    private func settle(
        _ outcome: Result<Person, Declined>, _ call: DeviceCall
    ) async throws -> Result<JSONObject, Refusal> {
        switch outcome {
        case .success(let person):
            try await context.provider.audit.record(
                call.draft(Self.action, person: person.id))
            var object = JSONObject()
            object["sub"] = .string(person.id.description)
            object["login_user_name"] = .string(person.username)
            object["method"] = .string(DeviceUser.Method.userKey.rawValue)
            return .success(object)
        case .failure(let declined):
            try await context.provider.audit.record(
                call.draft(
                    Self.action, refusal: declined.refusal, person: declined.person))
            return .failure(declined.refusal)
        }
    }

    private func refuseStranger(_ refusal: Refusal) async -> Result<JSONObject, Refusal> {
        await context.provider.audit.count(
            AuditDraft(
                Self.action, in: context.project, facts: context.facts, code: refusal.code))
        return .failure(refusal)
    }
}
