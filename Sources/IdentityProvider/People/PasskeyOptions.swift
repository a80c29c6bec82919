// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import Storage
import WebAuthn

/// The first half of a WebAuthn ceremony that makes a credential: what the browser is asked.
package struct PasskeyOptions: Sendable {
    /// Comes back with the answer.
    package let ceremony: String
    /// `PublicKeyCredentialCreationOptionsJSON` or `…RequestOptionsJSON`, sections 5.1.9, 5.1.10.
    package let publicKey: JSONValue

    /// `{"ceremony":…,"publicKey":…}`.
    package var json: JSONValue {
        ["ceremony": .string(ceremony), "publicKey": publicKey]
    }

    /// What is to be made.
    package enum Kind: String, Sendable {
        /// Whatever the person has at hand, found without a user name.
        case passkey
        /// A thing of its own, held against the device or plugged into it.
        case securityKey = "security_key"
    }

    /// For somebody without an account. What is typed is judged now, so that nobody makes a
    /// passkey for an account that cannot be.
    package static func register(
        _ application: SignUpForm, kind: Kind = .passkey, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        let outcome = try await checked(application, in: context).continued { person in
            let memory = RegistrationState(
                flow: .new(application), person: person.id, kind: kind)
            return .success(try await create(for: person, excluding: [], memory, in: context))
        }
        return try await refusalsSettled("registration.passkey", outcome, in: context)
    }

    private static func checked(
        _ application: SignUpForm, in context: CeremonyContext
    ) async throws -> Result<Person, CeremonyRefusal> {
        if let declined = try await AttemptCounter(context: context).countRequest() {
            return .failure(declined)
        }
        return try await application.applicant(application.newcomer(in: context), in: context)
            .continued { person in
                let declined = try await application.policy(on: person, in: context)
                return declined.map { .failure($0) } ?? .success(person)
            }
    }

    /// For somebody who is signed in, with a factor shown in the last five minutes.
    package static func add(
        for signedIn: AuthenticatedSession, kind: Kind = .passkey, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        try await add(for: signedIn.shown, kind: kind, in: context)
    }

    /// The same for somebody whom an app's token speaks for.
    static func add(
        for member: AuthenticatedPerson, kind: Kind = .passkey, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        let person = member.person
        guard member.isFresh(at: context.now) else {
            return try await refusalsSettled(
                "credential.passkey.added",
                .refused(.freshSignInNeeded, because: "not fresh", person: person.id), in: context)
        }
        let memory = RegistrationState(flow: .add, person: person.id, kind: kind)
        return .success(
            try await create(for: person, excluding: keys(of: person, context), memory, in: context)
        )
    }

    /// For somebody who has just signed in with a password and has no key: the browser may make
    /// one without a word, when its password manager knows the person. Offered once in a lifetime.
    package static func offer(
        for signedIn: AuthenticatedSession, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        let person = signedIn.person
        guard signedIn.isFresh(at: context.now),
            try await keys(of: person, context).isEmpty,
            try await context.store.markUsed(
                OneTimeIdentifier(.passkeyOffer, key: person.id.bytes),
                expiresAt: context.now + .days(3650))
        else {
            return .failure(
                UserFacingRefusal.passkeyOffered.refusal(because: "not now or not again"))
        }
        let memory = RegistrationState(
            flow: .add, person: person.id, kind: .passkey, isConditional: true)
        return .success(try await create(for: person, excluding: [], memory, in: context))
    }

    static func keys(
        of person: Person, _ context: CeremonyContext
    ) async throws -> [Credential] {
        try await context.store.credentials(of: person.id).filter { $0.kind == .publicKey }
    }

    static func create(
        for person: Person, excluding known: [Credential], _ memory: RegistrationState,
        in context: CeremonyContext
    ) async throws -> PasskeyOptions {
        let challenge = try PasskeyChallenge.issue(
            .passkeyRegistration, remembering: memory.object, in: context)
        let policy = context.keyPolicy
        var options = CreationOptions(
            relyingParty: context.relyingParty,
            name: context.tenant.project.theme.displayName ?? context.relyingParty.id,
            user: CreationOptions.User(
                id: person.id.bytes, name: person.username,
                displayName: person.claims.name ?? person.username),
            challenge: challenge.bytes)
        options.algorithms = policy.offered
        options.timeout = PasskeyChallenge.timeout
        options.excludeCredentials = known.map(CredentialDescriptor.init)
        options.userVerification = policy.verification
        options.attestation = policy.conveyance
        options.extensions = WebAuthnPolicy.extensions
        if memory.kind == .securityKey {
            options.hints = [.securityKey]
            options.authenticatorAttachment = .crossPlatform
            // An old key has no room for names: it is found by user name instead.
            options.residentKey = .preferred
        }
        return PasskeyOptions(ceremony: challenge.text, publicKey: options.json)
    }

    /// A ceremony that ends before it began leaves its event all the same; one that goes on leaves
    /// it when it is over.
    static func refusalsSettled(
        _ action: String, _ outcome: Result<PasskeyOptions, CeremonyRefusal>,
        in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        guard case .success(let options) = outcome else {
            return try await context.settle(action, outcome) { _ in nil }
        }
        return .success(options)
    }
}

extension CredentialDescriptor {
    init(_ credential: Credential) {
        self.init(
            id: credential.externalID, transports: PasskeyDetails(credential.details).transports)
    }
}
