// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
import Storage

/// A login request: a password, an encrypted password, or a key of the person's (Apple "Creating
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
    }

    func verify(_ call: DeviceCall) async throws -> Result<Verified, PlatformSSORefusal> {
        let person = try await person(call)
        var keys = LoginKeys()
        switch request.assertion {
        case .signed: keys = LoginKeys(user: try await userKeys(of: person, call))
        case .encrypted:
            keys = LoginKeys(
                decryption: try await call.provider.encryptionKeys.keys(of: call.tenant))
        case nil: break
        }
        return call.verifier.verify(
            request, device: call.registered.keys, keys: keys, now: call.now
        ).map { Verified(login: $0, person: person) }
    }

    private func person(_ call: DeviceCall) async throws -> Person? {
        guard let name = request.message.username.flatMap(UserName.canonical) else { return nil }
        return try await call.context.store.person(username: name, in: call.context.project)
    }

    private func userKeys(of person: Person?, _ call: DeviceCall) async throws -> [UserKey] {
        guard let person else { return [] }
        return try await call.context.store.userKeys(
            of: person.id, on: call.device.id, now: call.now
        ).map { .secureEnclave(try $0.publicKey) }
    }

    func facts(of verified: Verified) -> PlatformSSO.RequestFacts { verified.login.facts }

    func answer(
        _ verified: Verified, _ call: DeviceCall
    ) async throws -> Result<DeviceAnswer, Declined> {
        let (method, outcome) = try await prove(verified, call)
        return
            try await outcome
            .continued { proven in try await letIn(proven, by: method, verified.login, call) }
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
        case .smartCard, .saml, .webLogin: break
        }
        return (
            .password,
            .refused(
                .grantUnsupported, because: "this way to sign in is not allowed here",
                person: verified.person?.id)
        )
    }

    // 5. Policy.  6. Issue.
    private func letIn(
        _ proven: ProvenPerson, by method: DeviceUser.Method, _ login: VerifiedLoginRequest,
        _ call: DeviceCall
    ) async throws -> Result<DeviceAnswer, Declined> {
        let person = proven.person
        guard person.project == call.context.project, !person.disabled else {
            return .refused(
                .invalidCredentials, because: "the person is disabled", person: person.id)
        }
        if method == .password {
            try await AttemptCounter(context: call.context).clear(account: person.username)
        }
        let tokens = DeviceTokens(call: call, person: person)
        let grant = tokens.makeGrant(proven.factor, scope: login.scope)
        let user = DeviceUser(
            project: call.context.project, device: call.device.id, person: person.id,
            method: method, loginName: login.username, registeredAt: call.now,
            lastSignInAt: call.now)
        let event = call.provider.audit.prepare(call.draft(action, person: person.id))
        switch try await call.context.store.signIn(
            user, grant: grant, overlap: Self.overlap, recording: event, now: call.now)
        {
        case .done: break
        case .anothersDevice, .keyTaken:
            return .refused(
                .userMismatch, because: "the device is another person's", person: person.id)
        case .ended:
            return .refused(
                .deviceUnknown, because: "device, person or client ended", person: person.id)
        }
        return .success(
            DeviceAnswer(
                person: person.id,
                body: try await tokens.answer(
                    grant, to: login.facts, groups: login.requestedGroups),
                type: .loginResponse, isRecorded: true))
    }
}

extension AuthenticationFactor {
    /// A key of a device that has just signed for its person. Whether hardware holds it nobody
    /// vouched for.
    static func deviceKey(at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["pop"], contextClass: ContextClass.phishingResistant.rawValue)
    }
}
