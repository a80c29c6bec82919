// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import Storage
import WebAuthn

/// A passkey that is to be trusted: for a new account, or as a further one of somebody's.
package struct PasskeyRegistration: RegistrationSteps {
    let ceremony: String
    let response: JSONValue
    /// Whoever is signed in; without anyone the ceremony must be that of a new account.
    let signedIn: SignedIn?

    package init(ceremony: String, response: JSONValue, signedIn: SignedIn?) {
        self.ceremony = ceremony
        self.response = response
        self.signedIn = signedIn
    }

    package var action: String {
        signedIn == nil ? "registration.passkey" : "credential.passkey.added"
    }

    package struct Answer: Sendable {
        let challenge: [UInt8]
        let owner: Owner
    }

    package struct Evidence: Sendable {
        let registration: VerifiedRegistration
        let owner: Owner
    }

    enum Owner: Sendable {
        case applicant(Person, AccountApplication)
        case member(Person)

        var person: Person {
            switch self {
            case .applicant(let person, _), .member(let person): person
            }
        }
    }

    package func challenge(_ context: CeremonyContext) async throws -> Result<Answer, Declined> {
        try await PasskeyChallenge.consume(ceremony, .passkeyRegistration, in: context)
            .flatMap { challenge in
                owner(challenge.memory, context).map {
                    Answer(challenge: challenge.bytes, owner: $0)
                }
            }
    }

    /// For whom the ceremony was begun. An addition belongs to the person who began it, and to
    /// nobody who is signed in by now.
    private func owner(
        _ memory: JSONObject, _ context: CeremonyContext
    ) -> Result<Owner, Declined> {
        guard let id = Identifier<Person>(memory["person"]?.string ?? "") else {
            return .refused(.ceremonyExpired, because: "no person in the challenge")
        }
        if memory["flow"]?.string == "add" {
            guard let signedIn, signedIn.person.id == id else {
                return .refused(.signInNeeded, because: "begun by somebody else", person: id)
            }
            return .success(.member(signedIn.person))
        }
        guard signedIn == nil else {
            return .refused(.ceremonyExpired, because: "signed in since the ceremony began")
        }
        let setUp = memory["setup"]?.string ?? ""
        let application = AccountApplication(
            username: memory["username"]?.string ?? "", name: memory["name"]?.string ?? "",
            email: memory["email"]?.string ?? "", setUpToken: setUp.isEmpty ? nil : setUp)
        return application.applicant(id, in: context).map { .applicant($0, application) }
    }

    package func evidence(
        _ answer: Answer, _ context: CeremonyContext
    ) async throws -> Result<Evidence, Declined> {
        let claimed: UnverifiedRegistration
        do throws(WebAuthnRefusal) {
            claimed = try UnverifiedRegistration(json: response)
        } catch { return refused(error, answer) }
        let outcome = await context.relyingParty.verify(
            registration: claimed,
            expecting: RegistrationExpectation(
                challenge: answer.challenge, userVerification: .required, now: context.now))
        switch outcome {
        case .success(let registration):
            return .success(Evidence(registration: registration, owner: answer.owner))
        case .failure(let refusal): return refused(refusal, answer)
        }
    }

    private func refused(
        _ refusal: WebAuthnRefusal, _ answer: Answer
    ) -> Result<Evidence, Declined> {
        guard case .member(let person) = answer.owner else {
            return .refused(.passkeyRefused, because: "\(refusal)")
        }
        return .refused(.passkeyRefused, because: "\(refusal)", person: person.id)
    }

    package func policy(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Declined? {
        switch evidence.owner {
        case .applicant(let person, let application):
            return try await application.policy(on: person, in: context)
        case .member(let person):
            // The clock has moved since the options: ten minutes at most.
            let begun = context.now - PasskeyChallenge.lifetime
            guard let signedIn, signedIn.isFresh(at: begun) else {
                return Declined(
                    PeopleRefusal.freshSignInNeeded.refusal(because: "not fresh"),
                    person: person.id)
            }
            return nil
        }
    }

    package func bind(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<Binding, Declined> {
        let credential = credential(evidence, context)
        switch evidence.owner {
        case .applicant(let person, let application):
            return try await application.bind(
                person, credential,
                methods: PasskeyMethods.of(isBackedUp: evidence.registration.isBackupEligible),
                in: context)
        case .member(let person):
            guard try await context.store.add(credential) else {
                return .refused(.passkeyTaken, because: "credential id is taken", person: person.id)
            }
            return .success(
                Binding(
                    person: person, credential: credential, methods: [],
                    notice: .passkeyAdded(label: credential.label)))
        }
    }

    private func credential(_ evidence: Evidence, _ context: CeremonyContext) -> Credential {
        let registration = evidence.registration
        return Credential(
            id: context.newIdentifier(), project: context.project,
            person: evidence.owner.person.id, kind: .publicKey,
            externalID: registration.credentialId, publicPart: registration.publicKey,
            details: PasskeyDetails(registration).json,
            label: DeviceWords.describe(userAgent: context.facts.userAgent),
            signCount: Int64(registration.signCount), createdAt: context.now)
    }
}

/// RFC 8176 values of a passkey with user verification.
enum PasskeyMethods {
    /// A key that can leave its device is software-secured as far as we know.
    static func of(isBackedUp: Bool) -> [String] { [isBackedUp ? "swk" : "hwk", "user", "mfa"] }
}
