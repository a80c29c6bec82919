// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
import ProviderCore
import ProviderPeople
import ProviderSettings
import Storage

/// A login request with a password, an encrypted password, a user key, a card, or the code of a web
/// login (Apple "Creating and validating a login request").
///
/// A password is verified by ``PasswordSignIn`` with the same attempt limits, so that devices
/// cannot bypass them.
struct DeviceLogin: DeviceRequest {
    let request: UnverifiedLoginRequest
    let action = "device.sign-in"

    /// Grace period of the person's earlier grants on the device.
    private static let overlap = TimeSpan.minutes(10)

    struct Verified: Sendable {
        let login: VerifiedLoginRequest
        /// The person with this username, or `nil`. The response does not reveal whether one
        /// exists.
        let person: Person?
        /// The card, if its key signed the assertion.
        var card: SmartCard?
        /// The user key, if it signed the assertion.
        var key: DeviceKey?

        /// Additional details of the audit event.
        var details: [(name: String, value: String)] {
            (card?.details ?? []) + (login.purpose.map { [("purpose", $0.rawValue)] } ?? [])
        }
    }

    func verify(_ call: DeviceRequestContext) async throws -> Result<Verified, PlatformSSORefusal> {
        let (person, registered) = try await person(call)
        var keys = LoginKeys()
        var card: Result<SmartCard, PlatformSSORefusal>?
        switch request.assertion {
        case .signed(let assertion):
            var user = try registered.map { UserKey.secureEnclave(try $0.publicKey) }
            if !assertion.certificates.isEmpty, !user.contains(where: { $0.made(assertion) }) {
                card = await self.card(assertion, of: person, call)
                if case .success(let card)? = card { user = [card.userKey] }
            }
            keys = LoginKeys(user: user)
        case .encrypted(let assertion):
            keys = LoginKeys(
                decryption: try await call.provider.encryptionKeys.keys(
                    of: call.tenant, naming: assertion.keyID))
        case nil: break
        }
        let outcome = call.verifier.verify(
            request, device: call.registered.keys, keys: keys, now: call.now)
        switch outcome {
        case .success(let login):
            var verified = Verified(login: login, person: person, card: try? card?.get())
            if case .secureEnclaveKey(let kid) = login.credential {
                verified.key = registered.first { $0.kid == kid.digest }
            }
            return .success(verified)
        case .failure(let refusal):
            // A device with a valid signature receives the reason why the card was refused.
            guard case .failure(let reason)? = card, refusal.code == .userKeyUnknown else {
                return .failure(refusal)
            }
            return .failure(reason)
        }
    }

    private func card(
        _ assertion: UnverifiedSignedAssertion, of person: Person?, _ call: DeviceRequestContext
    ) async -> Result<SmartCard, PlatformSSORefusal> {
        guard call.place.allows(.smartCard) else {
            return .failure(PlatformSSORefusal(.grantUnsupported, "cards are not allowed here"))
        }
        return await SmartCard.find(
            assertion.certificates, of: person, call.place.policy.smartCards, now: call.now)
    }

    /// The person with the username of the request, with their keys on this device if a key has
    /// signed.
    private func person(_ call: DeviceRequestContext) async throws -> (Person?, [DeviceKey]) {
        guard let typed = request.message.username else { return (nil, []) }
        let context = call.context
        guard case .signed = request.assertion else {
            return (try await context.person(calling: typed), [])
        }
        let name =
            UserName.isLikeAddress(typed)
            ? try await context.person(calling: typed)?.qualifiedName : UserName.canonical(typed)
        guard let name else { return (nil, []) }
        let found = try await context.store.devices.person(
            username: name, in: context.project, keysOn: call.device.id, now: call.now)
        return (found?.0, found?.1 ?? [])
    }

    func facts(of verified: Verified) -> PlatformSSO.VerifiedRequestClaims { verified.login.facts }

    /// The signature of a user key is verified at this point; a password is not.
    func consumesNonceLast(_ verified: Verified) -> Bool {
        if case .secureEnclaveKey = verified.login.credential { true } else { false }
    }

    func answer(
        _ verified: Verified, _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal> {
        let (method, outcome) = try await DeviceLoginVerifier(verified, call).run()
        return
            try await outcome
            .continued { proven in try await accept(proven, by: method, verified, call) }
    }

    /// Applies the policy and issues the response.
    private func accept(
        _ proven: VerifiedPerson, by method: DeviceUser.Method, _ verified: Verified,
        _ call: DeviceRequestContext
    ) async throws -> Result<DeviceResponse, CeremonyRefusal> {
        let (login, person) = (verified.login, proven.person)
        guard person.project == call.context.project, !person.disabled else {
            return .refused(
                .invalidCredentials, because: "the person is disabled", person: person.id)
        }
        if let refusal = DeviceSignInPolicy(call: call).refusal(
            of: person, contextClass: proven.factor.contextClass)
        {
            return .failure(CeremonyRefusal(refusal, person: person.id))
        }
        let tokens = DeviceTokens(call: call, person: person)
        let grant = tokens.makeGrant(proven.factor, scope: login.scope)
        let user = DeviceUser(
            project: call.context.project, device: call.device.id, person: person.id,
            method: method, loginName: login.username, registeredAt: call.now,
            lastSignInAt: call.now)
        var draft = call.draft(action, person: person.id)
        draft.details = call.details(noting: verified.details)
        let event = call.provider.audit.prepare(draft)
        return .success(
            DeviceResponse(
                person: person.id, type: .loginResponse,
                keeping: .verb {
                    try await save(user, proven.factor.credential, grant, event, call)
                }
            ) {
                try await tokens.answer(grant, to: login.facts, groups: login.requestedGroups)
            })
    }

    private func save(
        _ user: DeviceUser, _ credential: Identifier<Credential>?, _ grant: Grant,
        _ event: AuditEvent, _ call: DeviceRequestContext
    ) async throws -> Result<Void, CeremonyRefusal> {
        switch try await call.context.store.devices.signIn(
            user, with: credential, grant: grant, overlap: Self.overlap, using: call.nonce,
            recording: event,
            now: call.now)
        {
        case .done: .success(())
        case .anothersDevice, .keyTaken:
            .refused(
                .userMismatch, because: "the device is another person's", person: user.person)
        case .credentialReplaced:
            .refused(
                .invalidCredentials, because: "the credential was replaced in the meantime",
                person: user.person)
        case .nonceUsed:
            .refused(.serverNonceRefused, because: "used before", person: user.person)
        case .ended:
            .refused(
                .deviceUnknown, because: "device, person or client ended", person: user.person)
        }
    }
}
