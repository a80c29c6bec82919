// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// Verifies the credential of a login, if the project allows its method.
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
        // The method is a password from the perspective of the device.
        case .saml(let version, let bytes): (.password, try await believe(bytes, version))
        case .webLogin(let callback): (.webLogin, try await redeem(callback))
        }
    }

    private func check(_ password: Secret) async throws -> Outcome {
        guard call.place.allows(.password) else { return notAllowed }
        let steps = PasswordSignIn(username: verified.login.username, password: password)
        return try await steps.verify(call.context)
            .continued { try await steps.prove($0, call.context) }
    }

    /// The signature was verified with the message.
    private func hasSigned() -> Outcome {
        guard call.place.allows(.userKey), let person = verified.person else { return notAllowed }
        return .success(
            VerifiedPerson(
                person: person, factor: .deviceKey(verified.key?.contextClass, at: call.now)))
    }

    /// The permission for cards was verified before the card was parsed.
    private func hasShownCard() async throws -> Outcome {
        guard let card = verified.card, let person = verified.person else { return notAllowed }
        let verifier = SmartCardVerifier(
            provider: call.provider, project: call.context.project,
            policy: call.place.policy.smartCards, now: call.now)
        if let refusal = try await verifier.refusal(of: card, shownBy: person) {
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
    /// The factor of a user key that has just signed. Its class was determined at registration: by
    /// the attestation of the key, or by the sign-in of its person.
    static func deviceKey(_ contextClass: String?, at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["pop"],
            contextClass: contextClass ?? ContextClass.password.rawValue)
    }

    /// The factor of a smart card that has just signed (RFC 8176). The certification authority
    /// asserts that the key is on a card.
    static func smartCard(at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["sc"], contextClass: ContextClass.phishingResistant.rawValue)
    }
}
