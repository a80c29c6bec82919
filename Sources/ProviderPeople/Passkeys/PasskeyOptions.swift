// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import ProviderCore
package import Storage
import WebAuthn

/// The options of a WebAuthn ceremony for the browser.
package struct PasskeyOptions: Sendable {
    /// The challenge, which the browser returns with the response.
    package let ceremony: String
    /// `PublicKeyCredentialCreationOptionsJSON` or `…RequestOptionsJSON`, sections 5.1.9, 5.1.10.
    package let publicKey: JSONValue

    /// `{"ceremony":…,"publicKey":…}`.
    package var json: JSONValue {
        ["ceremony": .string(ceremony), "publicKey": publicKey]
    }

    /// The kind of credential to create.
    package enum Kind: String, Sendable {
        /// Any discoverable credential of the person.
        case passkey
        /// A roaming authenticator, connected by NFC or USB.
        case securityKey = "security_key"
    }

    /// The options for the registration of a new account. The form is validated now, so that the
    /// browser creates no passkey for an invalid account.
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

    /// The options for a further credential of a person with a factor of the last five minutes.
    package static func add(
        for signedIn: AuthenticatedSession, kind: Kind = .passkey, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        try await add(for: signedIn.shown, kind: kind, in: context)
    }

    /// The same for a person who is authenticated by an access token of an app.
    package static func add(
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

    /// The options for a conditional creation, for a person who has just signed in with a password
    /// and has no key. The browser may create a passkey without a prompt if its password manager
    /// knows the person. They are offered once for each person.
    package static func offer(
        for signedIn: AuthenticatedSession, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        let person = signedIn.person
        guard signedIn.isFresh(at: context.now),
            try await keys(of: person, context).isEmpty,
            try await context.store.challenges.markUsed(
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

    package static func keys(
        of person: Person, _ context: CeremonyContext
    ) async throws -> [Credential] {
        try await context.store.credentials.credentials(of: person.id).filter {
            $0.kind == .publicKey
        }
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
            // An old key cannot store discoverable credentials: it is found by username instead.
            options.residentKey = .preferred
        }
        return PasskeyOptions(ceremony: challenge.text, publicKey: options.json)
    }

    /// Records the refusal of a ceremony that ends before it begins. A ceremony that continues
    /// records its event at its end.
    static func refusalsSettled(
        _ action: String, _ outcome: Result<PasskeyOptions, CeremonyRefusal>,
        in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        guard case .success(let options) = outcome else {
            return try await context.finish(action, outcome) { _ in nil }
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
