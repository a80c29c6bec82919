// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PlatformSSO
import Primitives
package import ProviderCore
import SingleSignOn
import Storage

/// Registers devices: with a registration token, by a signed-in person, or with a key of a
/// registered device.
///
/// The phases are: challenge (the nonce) → evidence (both keys, their attestation, and the right to
/// register) → binding.
package struct DeviceRegistration: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOEndpointInfo

    package static let action = "device.registration"
    /// The grace period of a replaced key.
    private static let keyOverlap = TimeSpan.hours(24)

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOEndpointInfo(context.tenant)
    }

    /// - Parameter accessToken: the access token of the person who registers the device.
    /// - Returns: the data for the login configuration of the extension.
    package func run(
        _ body: JSONObject, accessToken: String?
    ) async throws -> Result<JSONObject, Refusal> {
        let message: DeviceRegistrationMessage
        do throws(PlatformSSORefusal) {
            message = try DeviceRegistrationMessage(body)
        } catch {
            return .failure(try await context.refuseStranger(Refusal(error), Self.action))
        }
        let outcome = try await evidence(message, accessToken)
            .continued { try await bind(message, $0) }
            .mapError { CeremonyRefusal($0, isStranger: true) }
        return try await context.finish(Self.action, outcome)
            .continued { .success(try await configuration($0.device, message)) }
    }

    private struct Evidence {
        let authority: DeviceRegistrationAuthority
        let vouched: DeviceAttestation.Vouched
    }

    private struct Registered: CeremonyChange {
        let device: Device
        let event: CeremonyEvent
    }

    // 1. and 2. Verifies the proofs, the nonce, the attestation and the right to register.
    private func evidence(
        _ message: DeviceRegistrationMessage, _ accessToken: String?
    ) async throws -> Result<Evidence, Refusal> {
        let encryptionKeys = try await context.provider.encryptionKeys.keys(of: context.tenant)
        let nonce: String
        do throws(PlatformSSORefusal) {
            nonce = try possession(message, encryptionKeys)
        } catch {
            return .failure(Refusal(error))
        }
        let nonces = context.nonces(for: .device)
        let refused = Refusal.platformSSO(.serverNonceRefused, "not ours, too old, or used before")
        // The nonce of an unknown device without a right to register is not consumed.
        guard nonces.check(nonce) != nil else { return .failure(refused) }
        let authority: DeviceRegistrationAuthority
        switch try await self.authority(message, nonce, accessToken) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let found): authority = found
        }
        guard try await nonces.consume(nonce) else { return .failure(refused) }
        let verifier = DeviceAttestationVerifier(
            policy: place.policy.attestation,
            secrets: EndorsementSecrets(context.provider, of: context.tenant), now: context.now)
        return await verifier.verify(message.attestation, of: message, nonce: nonce)
            .map { Evidence(authority: authority, vouched: $0) }
    }

    /// The nonce of both proofs.
    private func possession(
        _ message: DeviceRegistrationMessage, _ keys: [PrivateJWK]
    ) throws(PlatformSSORefusal) -> String {
        let nonce = try proven(message.signingProof, by: message.signing, message)
        let isHeld = AgreementProof.isMet(
            by: message.encryptionProof, nonce: nonce, signing: message.signing,
            encryption: message.encryption, keys: keys)
        guard isHeld else {
            throw PlatformSSORefusal(.decryptionFailed, "the encryption key is not proven")
        }
        return nonce
    }

    private func proven(
        _ proof: PossessionProof, by key: PublicJWK, _ message: DeviceRegistrationMessage
    ) throws(PlatformSSORefusal) -> String {
        try proof.verify(by: key, audience: place.devicesURL, now: context.now)
        try proof.names(message.signing, in: "signing_key")
        try proof.names(message.encryption, in: "encryption_key")
        return try proof.claims.requiredText("nonce")
    }

    /// The strongest right of the message. A device that proves its earlier key needs no token, and
    /// consumes none.
    private func authority(
        _ message: DeviceRegistrationMessage, _ nonce: String, _ accessToken: String?
    ) async throws -> Result<DeviceRegistrationAuthority, Refusal> {
        if let device = try await registered(KeyIdentifier(message.signing)) {
            return .success(.key(of: device.device.id))
        }
        if let proof = message.previousKeyProof { return try await previous(proof, message, nonce) }
        if let token = message.token { return try await holder(of: token, message) }
        guard let accessToken, place.policy.registrationByPeople else {
            return .failure(Self.notEntitled("neither token nor person"))
        }
        return try await DeviceRegistrationEvidence(context).person(accessToken: accessToken)
            .map { .person($0.person.id) }
    }

    /// Finds the right of a token. A concurrent request of the same device may have consumed it.
    private func holder(
        of token: String, _ message: DeviceRegistrationMessage
    ) async throws -> Result<DeviceRegistrationAuthority, Refusal> {
        let hash = context.provider.secrets.hash(token.utf8, for: .deviceToken)
        if try await context.store.devices.isActive(
            deviceToken: hash, in: context.project, now: context.now)
        {
            return .success(.token(hash: hash))
        }
        guard let twin = try await registered(KeyIdentifier(message.signing)) else {
            return .failure(Self.notEntitled("the token is not active"))
        }
        return .success(.key(of: twin.device.id))
    }

    private func previous(
        _ proof: PossessionProof, _ message: DeviceRegistrationMessage, _ nonce: String
    ) async throws -> Result<DeviceRegistrationAuthority, Refusal> {
        guard let kid = proof.keyID, let device = try await registered(kid) else {
            return .failure(
                .platformSSO(.deviceUnknown, "previous_key_proof is not signed with an active key"))
        }
        do throws(PlatformSSORefusal) {
            let signed = try proven(proof, by: device.keys.signing, message)
            guard signed.hasSameBytes(as: nonce) else {
                throw PlatformSSORefusal(.serverNonceMismatch, "the proofs have different nonces")
            }
        } catch {
            return .failure(Refusal(error))
        }
        return .success(.key(of: device.device.id))
    }

    /// Finds a device by its current key. A replaced key may have been replaced because it was
    /// stolen.
    private func registered(_ kid: KeyIdentifier) async throws -> RegisteredDevice? {
        let found = try await RegisteredDevice.find(
            kid, in: context.tenant, context.provider, now: context.now)
        return found.flatMap { $0.isCurrent ? $0 : nil }
    }

    // 3. Stores the device atomically.
    private func bind(
        _ message: DeviceRegistrationMessage, _ evidence: Evidence
    ) async throws -> Result<Registered, Refusal> {
        let vouched = evidence.vouched
        let device = Device(
            id: context.newIdentifier(), project: context.project, sharing: message.sharing,
            facts: vouched.completing(message.facts), registeredBy: evidence.authority.person,
            attestation: vouched.summary, registeredAt: context.now, lastSeenAt: context.now)
        let outcome = try await context.store.devices.register(
            device, keys: keys(of: message, device.id), by: evidence.authority,
            provesIdentity: vouched.proves(device.facts), keyOverlap: Self.keyOverlap,
            now: context.now)
        if case .registered(let made) = outcome {
            return .success(Registered(device: made, event: event(made, evidence)))
        }
        if !evidence.authority.isKey,
            let twin = try await registered(KeyIdentifier(message.signing))
        {
            // A concurrent request of the same device was first. Now the device is authorized by
            // its key.
            let authority = DeviceRegistrationAuthority.key(of: twin.device.id)
            return try await bind(message, Evidence(authority: authority, vouched: vouched))
        }
        return .failure(Self.refusal(of: outcome))
    }

    private func keys(
        of message: DeviceRegistrationMessage, _ device: Identifier<Device>
    ) -> [DeviceKey] {
        [(message.signing, DeviceKey.Use.signing), (message.encryption, .encryption)]
            .map { key, use in
                DeviceKey(
                    kid: KeyIdentifier(key).digest, project: context.project, device: device,
                    use: use, publicJWK: key.json.text, createdAt: context.now)
            }
    }

    private static func refusal(of outcome: DeviceRegistrationOutcome) -> Refusal {
        switch outcome {
        case .registered, .tokenRefused: notEntitled("the token is not active")
        case .keyTaken:
            Refusal(
                "key_taken", "A key was registered before. Make new ones.",
                reason: "another device, another use, or revoked")
        case .identityTaken:
            taken(
                "A device with this serial number is registered. Prove one of its keys, use a "
                    + "token for this serial number, or have an administrator revoke it.",
                because: "an active device has the identity")
        case .identityChanged:
            taken(
                "This key is of a device with another serial number or UDID. Send the one it was "
                    + "registered with, or register with new keys and a token.",
                because: "the device of the key has another identity")
        case .sharingNarrowed:
            taken(
                "The keys of this device are shared and cannot become keys of one person. Register "
                    + "new keys, with a token or by signing in.",
                because: "shared keys were to become a person's")
        }
    }

    private static func taken(_ description: String, because reason: String) -> Refusal {
        Refusal("device_taken", description, reason: reason)
    }

    private static func notEntitled(_ reason: String) -> Refusal {
        Refusal(
            "registration_refused",
            "Send a valid registration token, or sign in as a person who may register devices.",
            reason: reason)
    }

    private func configuration(
        _ device: Device, _ message: DeviceRegistrationMessage
    ) async throws -> JSONObject {
        let encryption = try await context.provider.encryptionKeys.current(of: context.tenant)
        var object = JSONObject()
        object["device_id"] = .string(device.id.description)
        object["signing_key_id"] = .string(KeyIdentifier(message.signing).description)
        object["encryption_key_id"] = .string(KeyIdentifier(message.encryption).description)
        object["issuer"] = .string(place.issuer)
        object["client_id"] = .string(place.policy.clientID)
        object["audience"] = .string(place.audience)
        let endpoints = [
            ("nonce", PlatformSSOEndpointInfo.noncePath),
            ("token", PlatformSSOEndpointInfo.tokenPath),
            ("refresh", PlatformSSOEndpointInfo.refreshPath),
            ("key", PlatformSSOEndpointInfo.keyPath),
            ("jwks", PlatformSSOEndpointInfo.jwksPath),
            ("user_registration", PlatformSSOEndpointInfo.usersPath),
        ]
        for (name, path) in endpoints {
            object["\(name)_endpoint"] = .string(place.issuer + path)
        }
        if place.allows(.webLogin) {
            object["web_login_endpoint"] = .string(
                place.issuer + PlatformSSOEndpointInfo.webLoginPath)
        }
        if !place.policy.federation.issuer.isEmpty {
            object["federation_endpoint"] = .string(
                place.issuer + PlatformSSOEndpointInfo.federationPath)
            object["federation_request_urn"] = .string(place.federationAudience)
        }
        object["login_request_encryption_key"] = encryption?.json
        object["login_frequency"] = .integer(place.policy.loginFrequency)
        object["methods"] = .array(place.policy.allowedMethods.map(JSONValue.string))
        var settings = DeviceProfile(context.tenant).settings
        if message.sharing == .perUser { settings.useSharedDeviceKeys = false }
        object["profile"] = settings.propertyList.json
        return object
    }

    private func event(_ device: Device, _ evidence: Evidence) -> CeremonyEvent {
        let right =
            switch evidence.authority {
            case .token: "token"
            case .person: "person"
            case .key: "key"
            }
        var details = JSONObject([
            .init(name: "device", value: .string(device.id.description)),
            .init(name: "by", value: .string(right)),
            .init(name: "attested", value: .bool(device.attestation != "{}")),
        ])
        details["endorsement_key"] = evidence.vouched.endorsementKey.map(JSONValue.string)
        return CeremonyEvent(
            person: evidence.authority.person, clientID: place.policy.clientID,
            details: JSONValue.object(details).text)
    }
}

extension DeviceRegistrationAuthority {
    fileprivate var isKey: Bool { if case .key = self { true } else { false } }
    fileprivate var person: Identifier<Person>? {
        if case .person(let person) = self { person } else { nil }
    }
}
