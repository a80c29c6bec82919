// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import PIN
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Registers an installation with evidence (`docs/registration.md`): key, challenge, evidence,
/// binding, and with a PIN its delivery. Whatever is lost or killed on the way, doing it again with
/// the same identifier comes to the same end.
struct RegistrationCeremony: Sendable {
    /// Has the person choose a PIN; `nil` in a ceremony without prompts.
    typealias ChoosePIN = @Sendable (PINPolicy) async throws -> TypedPIN

    struct Result: Sendable {
        let profile: StoredProfile
        let isNewProfile: Bool
        /// The secret that signs the person in without another prompt.
        let secret: OpenedPINSecret?
        /// The message of a custom identity provider.
        let providerAnswer: CustomPayload?
        /// The nonce for the first sign-in, if it was not used for the PIN.
        var next: ServerChallenge?
    }

    let dependencies: ClientDependencies
    let request: RegistrationRequest
    let id: UUID
    let choosePIN: ChoosePIN?
    /// The exchange with a custom identity provider; `nil` for other methods.
    var custom: CustomProviderClientFlow?

    private var profiles: ProfileStore { dependencies.profiles }
    private var connection: ProviderConnection { dependencies.connection }

    func run() async throws -> Result {
        try await profiles.store.withLock(PendingRecord.lock(id)) {
            if let done = try await self.earlierResult() { return done }
            var pending = try await self.begin()
            do {
                return try await self.carryOut(&pending)
            } catch {
                await self.tidy(pending, after: error)
                throw error
            }
        }
    }

    // MARK: Beginning

    private var registrationID: String { id.uuidString.lowercased() }

    /// Returns the result of an earlier attempt that succeeded before its response was lost.
    private func earlierResult() async throws -> Result? {
        guard try await profiles.store.read(PendingRecord.name(id)) == nil,
            let profile = try await profiles.all().first(where: {
                $0.registrationID == registrationID
            })
        else { return nil }
        guard profile.method == request.method.rawValue else {
            throw Self.taken("by \(profile.method)")
        }
        return Result(profile: profile, isNewProfile: false, secret: nil, providerAnswer: nil)
    }

    /// Returns the record of an earlier attempt, or a new one with a new key.
    private func begin() async throws -> PendingRecord {
        let name = PendingRecord.name(id)
        if let pending = try await earlierRecord(name) {
            guard pending.isAt(profiles.issuer) else { throw Self.taken("at another provider") }
            guard pending.method == request.method.rawValue else {
                throw Self.taken("by \(pending.method)")
            }
            return pending
        }
        let pending = PendingRecord(
            issuer: profiles.issuer, method: request.method.rawValue,
            key: RecordName("key", profiles.newName()))
        try await profiles.store.write(pending.json, to: name)
        return pending
    }

    /// Returns the record of an earlier attempt; `nil` if there is none, or it is damaged. The
    /// provider then decides: it refuses a second key for the same registration.
    private func earlierRecord(_ name: RecordName) async throws -> PendingRecord? {
        do {
            return try await PendingRecord.read(name, in: profiles)
        } catch let error as StoreError where error.isDamage { return nil }
    }

    private static func taken(_ whose: String) -> IdentityError {
        IdentityError(
            .registration, .registrationIDTaken,
            "that idempotency key belongs to a registration \(whose)")
    }

    private func key(of pending: PendingRecord) async throws -> any StoredKey {
        if let key = try await profiles.keys.key(pending.key) { return key }
        guard !pending.isUncertain else {
            throw StoreError.damaged("the key of the registration is missing")
        }
        return try await profiles.keys.makeKey(pending.key)
    }

    // MARK: The ceremony

    private func carryOut(_ pending: inout PendingRecord) async throws -> Result {
        let key = try await key(of: pending)
        let conversation = try PINProtocolClient(
            dependencies: dependencies, profileID: pending.profileID, key: key)
        let isSealed = try await conversation.earlierAttemptCounts()
        // Who may be registered already is not asked once more before that is known.
        if !pending.isUncertain { try await custom?.start() }
        var challenge = try await askForChallenge()
        let askedAt = dependencies.clock.now
        if !isSealed, PINChallengePolicy(challenge.pin) != nil, choosePIN != nil {
            try await conversation.checkProvider()
        }
        let typed = isSealed ? nil : try await choose(challenge)
        // The choice takes time, and a nonce is valid for five minutes.
        if typed != nil, dependencies.clock.now - askedAt >= Self.nonceUse {
            challenge = try await askForChallenge()
        }
        while true {
            let attempt = Attempt(
                challenge: challenge, key: key, typed: typed, hasPIN: isSealed || typed != nil)
            do {
                return try await carryOut(attempt, conversation, &pending)
            } catch let refusal as RegistrationRefusal {
                guard try await custom?.resume(after: refusal.answer) == true else {
                    throw refusal.error
                }
                challenge = try await askForChallenge()
            }
        }
    }

    /// The time in which a nonce is used. After it another one is requested.
    private static let nonceUse = TimeSpan.minutes(4)

    /// One registration request. A new one, with another nonce, follows if a service requests
    /// another attempt.
    private struct Attempt {
        let challenge: Challenge
        let key: any StoredKey
        let typed: TypedPIN?
        let hasPIN: Bool
    }

    private func carryOut(
        _ attempt: Attempt, _ conversation: PINProtocolClient, _ pending: inout PendingRecord
    ) async throws -> Result {
        let (challenge, key) = (attempt.challenge, attempt.key)
        let installationKey = try InstallationKey(key.publicKey.jwk())
        guard attempt.hasPIN else {
            let answer = try await send(challenge, key, installationKey, pin: nil, &pending)
            return try await finish(answer, pending, pin: nil, secret: nil)
        }
        let transport = PINTransportKey()
        let offer = try await conversation.firstOffer(
            to: transport.publicKey, nonce: challenge.nonce)
        let answer = try await send(challenge, key, installationKey, pin: offer, &pending)
        var secret: OpenedPINSecret?
        if let typed = attempt.typed {
            guard let delivery = answer.pin else {
                throw ProviderConnection.invalid("the response does not contain the PIN delivery")
            }
            secret = try await conversation.finishRegistration(
                delivery, transport: transport, nonce: challenge.nonce, under: typed)
        }
        return try await finish(answer, pending, pin: pending.profileID, secret: secret)
    }

    /// Returns a new PIN if the project has PINs and the ceremony has prompts.
    private func choose(_ challenge: Challenge) async throws -> TypedPIN? {
        guard let rules = PINChallengePolicy(challenge.pin) else { return nil }
        guard rules.isRequired || dependencies.configuration.usesPIN else { return nil }
        let typed = try await choosePIN?(rules.policy)
        guard typed != nil || !rules.isRequired else {
            throw IdentityError(
                .registration, .pinRequired,
                "the project requires a PIN: use registration(_:options:idempotencyKey:), which prompts for it"
            )
        }
        return typed
    }

    private struct Challenge: Sendable {
        let nonce: String
        let audience: String
        let pin: JSONValue?
    }

    private func askForChallenge() async throws -> Challenge {
        let body = try await connection.post(
            "challenge", ["method": .string(request.method.rawValue)], in: .registration)
        guard let challenge = ServerChallenge(body) else {
            throw ProviderConnection.invalid("the challenge is incomplete")
        }
        return Challenge(
            nonce: challenge.nonce, audience: challenge.audience, pin: body["pin"])
    }

    private struct Response: Sendable {
        let registered: AppRegistrationResponse
        let pin: JSONObject?
        let provider: CustomPayload?
        let attestedKey: String?
    }

    private func send(
        _ challenge: Challenge, _ key: any StoredKey, _ installationKey: InstallationKey,
        pin: (message: String, binding: [UInt8])?, _ pending: inout PendingRecord
    ) async throws -> Response {
        let binding = KeyBinding(nonce: challenge.nonce, key: installationKey)
        let evidence = try await evidence(challenge, binding: pin?.binding ?? binding.bytes)
        var body = try await message(challenge, key, installationKey, binding, evidence)
        body["pin_offer"] = pin.map { .string($0.message) }
        let wasUncertain = pending.isUncertain
        pending.isUncertain = true
        try await profiles.store.write(pending.json, to: PendingRecord.name(id))
        let reply = try await connection.reply(
            to: "register", .object(body), in: .registration)
        guard (200...201).contains(reply.status) else {
            let refusal = RegistrationRefusal(reply)
            let isCertain = refusal.error.serverCode != nil && !refusal.error.isAboutTheWay
            if isCertain { pending.isUncertain = wasUncertain }
            throw refusal
        }
        let answer = try ProviderConnection.object(reply)
        guard let registered = AppRegistrationResponse(answer) else {
            throw ProviderConnection.invalid("the response to the registration is incomplete")
        }
        return Response(
            registered: registered, pin: answer["pin"]?.object, provider: CustomPayload(answer),
            attestedKey: evidence.attestedKey)
    }

    private func message(
        _ challenge: Challenge, _ key: any StoredKey, _ installationKey: InstallationKey,
        _ binding: KeyBinding, _ evidence: RegistrationEvidence
    ) async throws -> JSONObject {
        let proof = try await KeySignature.jws(
            payload: binding.bytes, typ: KeyBinding.proofType, by: key)
        guard let wireID = Identifier<AppRegistrationRequest>(registrationID) else {
            throw ProviderConnection.invalid("not a UUID")
        }
        let wire = AppRegistrationRequest(
            method: .init(rawValue: request.method.rawValue), registrationID: wireID,
            nonce: challenge.nonce, evidence: evidence.object, key: installationKey.jwk.json,
            keyProof: proof, name: dependencies.configuration.installationName)
        return wire.json.object ?? JSONObject()
    }

    private func evidence(
        _ challenge: Challenge, binding: [UInt8]
    ) async throws -> RegistrationEvidence {
        let asked = RegistrationChallenge(
            method: request.method, nonce: challenge.nonce, audience: challenge.audience,
            binding: binding)
        do {
            return try await request.evidence(asked)
        } catch let error as IdentityError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw IdentityError(
                .registration, .attestationFailed, "the evidence could not be created: \(error)",
                underlying: error)
        }
    }

    // MARK: The end

    /// Creates the profile, or saves the new key of the person's profile, and deletes the record of
    /// the ceremony.
    private func finish(
        _ answer: Response, _ pending: PendingRecord, pin: Profile.ID?, secret: OpenedPINSecret?
    ) async throws -> Result {
        let known = try await profiles.profile(ofUser: answer.registered.userID)?.id
        let id = known ?? pending.profileID
        return try await profiles.alone(with: id) {
            try await self.save(answer, as: id, pending, pin: pin, secret: secret)
        }
    }

    private func save(
        _ answer: Response, as id: Profile.ID, _ pending: PendingRecord, pin: Profile.ID?,
        secret: OpenedPINSecret?
    ) async throws -> Result {
        let registered = answer.registered
        let earlier = try await profiles.profile(id)
        let replaced =
            (pending.browser == nil ? earlier?.replacedInstallations : earlier?.installations) ?? []
        // Under both names until the profile is saved: whatever is cut off can be done again.
        if let pin, pin != id { try await copy(ProfileStore.pin(pin), to: ProfileStore.pin(id)) }
        let profile = StoredProfile(
            id: id, issuer: profiles.issuer, userID: registered.userID,
            username: registered.username,
            registeredAt: registered.registeredAt, method: registered.method.rawValue,
            key: pending.key, installationID: registered.installationID,
            registrationID: registrationID,
            keyID: registered.keyID, hasPIN: pin != nil, attestedKey: answer.attestedKey,
            label: earlier?.label,
            replacedInstallations: replaced.filter { $0 != registered.installationID })
        try await profiles.save(profile)
        try await profiles.makeCurrent(id)
        try await profiles.store.remove(PendingRecord.name(self.id))
        if let pin, pin != id { try await profiles.store.remove(ProfileStore.pin(pin)) }
        if let earlier, earlier.key != pending.key {
            try await profiles.keys.removeKey(earlier.key)
            if let key = earlier.tokenKey { try await profiles.keys.removeKey(key) }
            await dependencies.removeKeys(of: earlier.authenticators)
            if pin == nil { try await profiles.store.remove(ProfileStore.pin(id)) }
        }
        return Result(
            profile: profile, isNewProfile: earlier == nil, secret: secret,
            providerAnswer: answer.provider, next: registered.next)
    }

    private func copy(_ old: RecordName, to new: RecordName) async throws {
        guard let bytes = try await profiles.store.read(old) else { return }
        try await profiles.store.write(bytes, to: new)
    }

    /// Deletes the record of a registration that was certainly refused, and saves one that may
    /// exist.
    private func tidy(_ pending: PendingRecord, after error: any Error) async {
        let name = PendingRecord.name(id)
        // The person has signed in already, and another attempt may succeed.
        let isProven = pending.browser?.token != nil && error.isAboutTheWay
        if pending.isUncertain || isProven {
            try? await profiles.store.write(pending.json, to: name)
        } else {
            try? await profiles.keys.removeKey(pending.key)
            try? await profiles.store.remove(name)
        }
    }
}

/// The provider's "no" to a registration, with its words.
private struct RegistrationRefusal: Error {
    let answer: ResourceResponse
    let error: IdentityError

    init(_ answer: ResourceResponse) {
        self.answer = answer
        error = ProviderErrorMapping.error(answer, in: .registration)
    }
}
