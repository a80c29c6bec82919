// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth
import PlatformSSO
import Primitives
package import ProviderCore
import ProviderPeople
import ProviderTokens
import Storage

/// Registers a person on a device with a user key in its hardware, or with a smart card. The device
/// and the key sign the request, and the person has just signed in.
///
/// People who use a password need no registration: it happens at their first login. A smart card
/// needs none either; its registration shows immediately whether it is accepted.
package struct UserRegistration: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOEndpointInfo

    package static let action = "device.user-registration"

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOEndpointInfo(context.tenant)
    }

    private typealias Message = UserRegistrationMessage

    /// - Parameter accessToken: the access token of the person, unless the body contains a refresh
    ///   token of this device.
    package func run(
        _ body: JSONObject, accessToken: String?
    ) async throws -> Result<JSONObject, Refusal> {
        let message: Message
        do throws(PlatformSSORefusal) { message = try Message(body) } catch {
            return try await refuse(Refusal(error))
        }
        let method = message.credential.method
        guard place.allows(method) else {
            return try await refuse(
                .platformSSO(.grantUnsupported, "\(method.rawValue) is not allowed"))
        }
        let found = try await RegisteredDevice.find(
            message.deviceKeyID, in: context.tenant, context.provider, now: context.now)
        // The grace period of a replaced device key is for pending requests. Such a key registers
        // no person.
        guard let registered = found, registered.isCurrent,
            let client = try await PlatformSSOClient(
                provider: context.provider, tenant: context.tenant
            ).find()
        else {
            return try await refuse(.platformSSO(.deviceUnknown, "no device has that key now"))
        }
        let call = DeviceRequestContext(
            context: context, place: place, registered: registered, client: client)
        let outcome = try await register(message, accessToken, call)
        return try await call.finish(Self.action, outcome).map { made in
            var object = JSONObject()
            object["sub"] = .string(made.person.id.description)
            object["login_user_name"] = .string(made.person.username)
            object["method"] = .string(method.rawValue)
            return object
        }
    }

    private func refuse(_ refusal: Refusal) async throws -> Result<JSONObject, Refusal> {
        .failure(try await context.refuseStranger(refusal, Self.action))
    }

    private func register(
        _ message: Message, _ accessToken: String?, _ call: DeviceRequestContext
    ) async throws -> Result<Registered, CeremonyRefusal> {
        let proven: (nonce: String, username: String)
        let credential: Credential
        do throws(PlatformSSORefusal) {
            credential = try self.credential(message)
            proven = try possession(message, credential, call)
        } catch {
            return .failure(CeremonyRefusal(Refusal(error), isStranger: true))
        }
        guard try await context.nonces(for: .device).consume(proven.nonce) else {
            return .refused(.serverNonceRefused, because: "not ours, too old, or used before")
        }
        let isHeld: Bool
        switch await self.isHeld(message, credential, nonce: proven.nonce, call) {
        case .success(let answer): isHeld = answer
        case .failure(let refusal): return .failure(CeremonyRefusal(refusal))
        }
        return try await person(message, accessToken, call).continued { shown in
            let person = shown.person
            guard try await context.lookup(of: proven.username, finds: person) else {
                return .refused(
                    .userMismatch, because: "the proofs name another person", person: person.id)
            }
            return try await accept(credential, of: person)
                .continued { accepted in
                    let proof = isHeld ? .phishingResistant : shown.contextClass
                    return try await bind(accepted, person, proof, proven.username, call)
                }
        }
    }

    // MARK: The key

    /// The credential to register, with the key that must sign.
    private struct Credential {
        let key: PublicJWK
        /// The certificates of a card, before they are verified.
        var certificates: [[UInt8]] = []
        var card: SmartCard?

        var isCard: Bool { !certificates.isEmpty }
        var method: DeviceUser.Method { isCard ? .smartCard : .userKey }
    }

    private func credential(_ message: Message) throws(PlatformSSORefusal) -> Credential {
        let credential: Credential
        switch message.credential {
        case .key(let key): credential = Credential(key: key)
        case .card(let certificates):
            credential = Credential(
                key: try SmartCard.key(of: certificates), certificates: certificates)
        }
        if let text = message.keyID { _ = try KeyIdentifier.confirm(text, of: credential.key) }
        return credential
    }

    /// Verifies that both proofs are for the same key, person, device and nonce.
    private func possession(
        _ message: Message, _ credential: Credential, _ call: DeviceRequestContext
    ) throws(PlatformSSORefusal) -> (nonce: String, username: String) {
        let signing = call.registered.keys.signing
        let algorithms = credential.isCard ? PossessionProof.cardAlgorithms : [.es256]
        try message.deviceProof.verify(by: signing, audience: place.usersURL, now: call.now)
        try message.keyProof.verify(
            by: credential.key, algorithms, audience: place.usersURL, now: call.now)
        for proof in [message.deviceProof, message.keyProof] {
            try proof.names(signing, in: "device_key")
            try proof.names(credential.key, in: "user_key")
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

    private func isHeld(
        _ message: Message, _ credential: Credential, nonce: String, _ call: DeviceRequestContext
    ) async -> Result<Bool, Refusal> {
        await DeviceAttestationVerifier(
            policy: place.policy.attestation,
            secrets: EndorsementSecrets(context.provider, of: context.tenant), now: context.now
        ).isHeld(credential.key, on: call.registered, message.attestation, nonce: nonce)
    }

    /// Verifies that a card belongs to the person by the project's rules, and is not revoked.
    private func accept(
        _ credential: Credential, of person: Person
    ) async throws -> Result<Credential, CeremonyRefusal> {
        guard credential.isCard else { return .success(credential) }
        func refused(_ refusal: PlatformSSORefusal) -> Result<Credential, CeremonyRefusal> {
            .failure(CeremonyRefusal(Refusal(refusal), person: person.id))
        }
        let policy = place.policy.smartCards
        let verifier = SmartCardVerifier(
            provider: context.provider, project: context.project, policy: policy,
            now: context.now)
        switch await SmartCard.find(
            credential.certificates, of: person, policy, now: context.now)
        {
        case .failure(let refusal): return refused(refusal)
        case .success(let card):
            if let refusal = try await verifier.refusal(of: card, shownBy: person) {
                return refused(refusal)
            }
            var accepted = credential
            accepted.card = card
            return .success(accepted)
        }
    }

    // MARK: The person

    private func person(
        _ message: Message, _ accessToken: String?, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceRegistrationEvidence.SignedInPerson, CeremonyRefusal> {
        let evidence = DeviceRegistrationEvidence(context)
        if let token = message.refreshToken {
            return try await DeviceGrant.find(token, call).continued { held in
                guard held.isRecent, held.isInUse(call) else {
                    return .refused(.refreshTokenRefused, because: "an old token")
                }
                return evidence.person(of: held).mapError {
                    CeremonyRefusal($0, person: held.person.id)
                }
            }
        }
        guard let accessToken else {
            return .failure(CeremonyRefusal(DeviceRegistrationEvidence.refused("neither token")))
        }
        return try await evidence.person(accessToken: accessToken).mapError { CeremonyRefusal($0) }
    }

    // MARK: Binding

    private struct Registered: CeremonyChange {
        let person: Person
        let event: CeremonyEvent
    }

    private func bind(
        _ credential: Credential, _ person: Person, _ contextClass: ContextClass,
        _ username: String, _ call: DeviceRequestContext
    ) async throws -> Result<Registered, CeremonyRefusal> {
        let user = DeviceUser(
            project: context.project, device: call.device.id, person: person.id,
            method: credential.method, loginName: username, registeredAt: context.now)
        // A card is not part of the device: its person can use it on any device. A key without
        // attestation has the class of its person's sign-in.
        let key =
            credential.isCard
            ? nil
            : DeviceKey(
                kid: KeyIdentifier(credential.key).digest, project: context.project,
                device: call.device.id, person: person.id, use: .user,
                publicJWK: credential.key.json.text, createdAt: context.now,
                contextClass: min(contextClass, .phishingResistant).rawValue)
        switch try await context.store.devices.register(user, key: key, now: context.now) {
        case .done:
            let details = call.details(noting: credential.card?.details ?? [])
            return .success(
                Registered(
                    person: person, event: CeremonyEvent(person: person.id, details: details)))
        case .ended:
            return .refused(.deviceUnknown, because: "device or person ended", person: person.id)
        case .anothersDevice:
            return .refused(
                .userMismatch, because: "the device is another person's", person: person.id)
        case .keyTaken, .nonceUsed, .credentialReplaced:
            let refusal = Refusal(
                "key_taken", "This key was registered before. Make a new one.",
                reason: "a key of another person, device or use, or ended")
            return .failure(CeremonyRefusal(refusal, person: person.id))
        }
    }
}

extension UserRegistrationMessage.Credential {
    var method: DeviceUser.Method {
        switch self {
        case .key: .userKey
        case .card: .smartCard
        }
    }
}
