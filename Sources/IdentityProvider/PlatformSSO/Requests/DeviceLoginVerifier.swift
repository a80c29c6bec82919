// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
import Storage

/// Phase 4 of a login: what the message brought must prove the person, in a way that the project
/// allows.
struct DeviceLoginVerifier {
    private let verified: DeviceLogin.Verified
    private let call: DeviceRequestContext

    private typealias Outcome = Result<VerifiedPerson, CeremonyRefusal>

    init(_ verified: DeviceLogin.Verified, _ call: DeviceRequestContext) {
        self.verified = verified
        self.call = call
    }

    func run() async throws -> (DeviceUser.Method, Result<VerifiedPerson, CeremonyRefusal>) {
        switch verified.login.credential {
        case .password(let password, _): (.password, try await check(password))
        case .secureEnclaveKey: (.userKey, hasSigned())
        case .smartCard: (.smartCard, try await hasShownCard())
        // A password, as far as the machine is concerned.
        case .saml(let version, let bytes): (.password, try await believe(bytes, version))
        case .webLogin(let callback): (.webLogin, try await redeem(callback))
        }
    }

    private func check(_ password: Secret) async throws -> Outcome {
        guard call.place.allows(.password) else { return notAllowed }
        let steps = PasswordSignIn(username: verified.login.username, password: password)
        return try await steps.challenge(call.context)
            .continued { try await steps.proof($0, call.context) }
    }

    /// The signature was verified with the message.
    private func hasSigned() -> Outcome {
        guard call.place.allows(.userKey), let person = verified.person else { return notAllowed }
        return .success(
            VerifiedPerson(
                person: person, factor: .deviceKey(verified.key?.contextClass, at: call.now)))
    }

    /// That cards are allowed was asked before the card was looked at.
    private func hasShownCard() async throws -> Outcome {
        guard let card = verified.card, let person = verified.person else { return notAllowed }
        let judge = SmartCardVerifier(
            provider: call.provider, project: call.context.project,
            policy: call.place.policy.smartCards, now: call.now)
        if let refusal = try await judge.refusal(of: card, shownBy: person) {
            return .failure(CeremonyRefusal(Refusal(refusal), person: person.id))
        }
        return .success(VerifiedPerson(person: person, factor: .smartCard(at: call.now)))
    }

    private func believe(
        _ assertion: [UInt8], _ version: VerifiedLoginRequest.SAMLVersion
    ) async throws -> Outcome {
        guard call.place.allows(.password) else { return notAllowed }
        return try await FederatedAssertion(
            version: version, bytes: assertion, person: verified.person
        ).redeem(call)
    }

    private func redeem(_ callback: WebLoginCallback) async throws -> Outcome {
        guard call.place.allows(.webLogin) else { return notAllowed }
        return try await WebLoginVerifier(callback: callback, person: verified.person).redeem(call)
    }

    private var notAllowed: Outcome {
        .refused(
            .grantUnsupported, because: "this way to sign in is not allowed here",
            person: verified.person?.id)
    }
}

extension AuthenticationFactor {
    /// A key of a device that has just signed for its person. It is worth what was proven when it was
    /// registered: that hardware holds it, or how its person had signed in.
    static func deviceKey(_ contextClass: String?, at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["pop"],
            contextClass: contextClass ?? ContextClass.password.rawValue)
    }

    /// A smart card that has just signed (RFC 8176). That its key is on a card is the word of the
    /// authority that certified it.
    static func smartCard(at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["sc"], contextClass: ContextClass.phishingResistant.rawValue)
    }
}
