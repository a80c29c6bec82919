// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
import Storage

/// A login request: a password, an encrypted password, a key or a card of the person's, or the code
/// of a web login (Apple "Creating
/// and validating a login request").
///
/// A password is judged by the ordinary sign-in, under the same limits: a device is no way round
/// them.
struct DeviceLogin: DeviceRequest {
    let request: UnverifiedLoginRequest
    let action = "device.sign-in"

    /// Older grants of the person on the device end after this time.
    private static let overlap = TimeSpan.minutes(10)

    struct Verified: Sendable {
        let login: VerifiedLoginRequest
        /// Who has that user name; nobody is told whether anyone has.
        let person: Person?
        /// Whose key signed the assertion, when a card's did.
        var card: SmartCard?

        /// What the audit trail says besides.
        var details: [(name: String, value: String)] {
            (card?.details ?? []) + (login.purpose.map { [("purpose", $0.rawValue)] } ?? [])
        }
    }

    func verify(_ call: DeviceCall) async throws -> Result<Verified, PlatformSSORefusal> {
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
        case .encrypted:
            keys = LoginKeys(
                decryption: try await call.provider.encryptionKeys.keys(of: call.tenant))
        case nil: break
        }
        let outcome = call.verifier.verify(
            request, device: call.registered.keys, keys: keys, now: call.now)
        switch outcome {
        case .success(let login):
            return .success(Verified(login: login, person: person, card: try? card?.get()))
        case .failure(let refusal):
            // A device that signed rightly is told what is wrong with the card.
            guard case .failure(let reason)? = card, refusal.code == .userKeyUnknown else {
                return .failure(refusal)
            }
            return .failure(reason)
        }
    }

    private func card(
        _ assertion: UnverifiedSignedAssertion, of person: Person?, _ call: DeviceCall
    ) async -> Result<SmartCard, PlatformSSORefusal> {
        guard call.place.allows(.smartCard) else {
            return .failure(PlatformSSORefusal(.grantUnsupported, "cards are not allowed here"))
        }
        return await SmartCard.find(
            assertion.certificates, of: person, call.place.policy.smartCards, now: call.now)
    }

    /// Whom the request names, with the keys that they have on this device when one has signed.
    private func person(_ call: DeviceCall) async throws -> (Person?, [DeviceKey]) {
        guard let name = request.message.username.flatMap(UserName.canonical) else {
            return (nil, [])
        }
        let (store, project) = (call.context.store, call.context.project)
        guard case .signed = request.assertion else {
            return (try await store.person(username: name, in: project), [])
        }
        let found = try await store.person(
            username: name, in: project, keysOn: call.device.id, now: call.now)
        return (found?.0, found?.1 ?? [])
    }

    func facts(of verified: Verified) -> PlatformSSO.RequestFacts { verified.login.facts }

    /// The signature of a person's key has been verified; a password has not.
    func takesNonceLast(_ verified: Verified) -> Bool {
        if case .secureEnclaveKey = verified.login.credential { true } else { false }
    }

    func answer(
        _ verified: Verified, _ call: DeviceCall
    ) async throws -> Result<DeviceAnswer, Declined> {
        let (method, outcome) = try await prove(verified, call)
        return
            try await outcome
            .continued { proven in try await letIn(proven, by: method, verified, call) }
    }

    // 4. Prove the person.
    private func prove(
        _ verified: Verified, _ call: DeviceCall
    ) async throws -> (DeviceUser.Method, Result<ProvenPerson, Declined>) {
        switch verified.login.credential {
        case .password(let password, _):
            guard call.place.allows(.password) else { break }
            let steps = PasswordSignIn(username: verified.login.username, password: password)
            return (
                .password,
                try await steps.challenge(call.context)
                    .continued { try await steps.proof($0, call.context) }
            )
        case .secureEnclaveKey:
            guard call.place.allows(.userKey), let person = verified.person else { break }
            return (
                .userKey,
                .success(ProvenPerson(person: person, factor: .deviceKey(at: call.now)))
            )
        case .smartCard:
            guard let card = verified.card, let person = verified.person else { break }
            return (.smartCard, try await held(card, by: person, call))
        case .saml(let version, let bytes):
            // A password, as far as the machine is concerned.
            guard call.place.allows(.password) else { break }
            let assertion = FederatedAssertion(
                version: version, bytes: bytes, person: verified.person)
            return (.password, try await assertion.redeem(call))
        case .webLogin(let callback):
            guard call.place.allows(.webLogin) else { break }
            let proof = WebLoginProof(callback: callback, person: verified.person)
            return (.webLogin, try await proof.redeem(call))
        }
        return (
            .password,
            .refused(
                .grantUnsupported, because: "this way to sign in is not allowed here",
                person: verified.person?.id)
        )
    }

    private func held(
        _ card: SmartCard, by person: Person, _ call: DeviceCall
    ) async throws -> Result<ProvenPerson, Declined> {
        let judge = SmartCardJudge(
            provider: call.provider, project: call.context.project,
            policy: call.place.policy.smartCards, now: call.now)
        if let refusal = try await judge.refusal(of: card, shownBy: person) {
            return .failure(Declined(Refusal(refusal), person: person.id))
        }
        return .success(ProvenPerson(person: person, factor: .smartCard(at: call.now)))
    }

    // 5. Policy.  6. Issue.
    private func letIn(
        _ proven: ProvenPerson, by method: DeviceUser.Method, _ verified: Verified,
        _ call: DeviceCall
    ) async throws -> Result<DeviceAnswer, Declined> {
        let (login, person) = (verified.login, proven.person)
        guard person.project == call.context.project, !person.disabled else {
            return .refused(
                .invalidCredentials, because: "the person is disabled", person: person.id)
        }
        if let refusal = DeviceSignInPolicy(call: call).refusal(of: person) {
            return .failure(Declined(refusal, person: person.id))
        }
        if case .password = login.credential {
            try await AttemptCounter(context: call.context).clear(account: person.username)
        }
        let tokens = DeviceTokens(call: call, person: person)
        let grant = tokens.makeGrant(proven.factor, scope: login.scope)
        let user = DeviceUser(
            project: call.context.project, device: call.device.id, person: person.id,
            method: method, loginName: login.username, registeredAt: call.now,
            lastSignInAt: call.now)
        let event = call.provider.audit.prepare(
            call.draft(action, person: person.id, noting: verified.details))
        return .success(
            DeviceAnswer(
                person: person.id, type: .loginResponse,
                keeping: .verb { try await keep(user, grant, event, call) }
            ) {
                try await tokens.answer(grant, to: login.facts, groups: login.requestedGroups)
            })
    }

    private func keep(
        _ user: DeviceUser, _ grant: Grant, _ event: AuditEvent, _ call: DeviceCall
    ) async throws -> Result<Void, Declined> {
        switch try await call.context.store.signIn(
            user, grant: grant, overlap: Self.overlap, using: call.nonce, recording: event,
            now: call.now)
        {
        case .done: .success(())
        case .anothersDevice, .keyTaken:
            .refused(
                .userMismatch, because: "the device is another person's", person: user.person)
        case .nonceUsed:
            .refused(.serverNonceRefused, because: "used before", person: user.person)
        case .ended:
            .refused(
                .deviceUnknown, because: "device, person or client ended", person: user.person)
        }
    }
}

extension AuthenticationFactor {
    /// A key of a device that has just signed for its person. Whether hardware holds it nobody
    /// vouched for.
    static func deviceKey(at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["pop"], contextClass: ContextClass.phishingResistant.rawValue)
    }

    /// A smart card that has just signed (RFC 8176). That its key is on a card is the word of the
    /// authority that certified it.
    static func smartCard(at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["sc"], contextClass: ContextClass.phishingResistant.rawValue)
    }
}
