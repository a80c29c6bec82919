// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import PIN
import Primitives
import ProviderCore
import Storage

/// The last phase of the registration of an installation. It finds or creates the person, and
/// stores all records in one transaction.
struct InstallationBinding: Sendable {
    private let evidence: InstallationRegistration.Evidence
    private let action: String
    private let context: CeremonyContext

    init(
        _ evidence: InstallationRegistration.Evidence, action: String, in context: CeremonyContext
    ) {
        self.evidence = evidence
        self.action = action
        self.context = context
    }

    private var claim: RegistrationClaim { evidence.claim }
    private var vouched: VerifiedRegistrationEvidence { evidence.vouched }

    func bind() async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        if let (installation, person) = evidence.earlier {
            return try await again(installation, person)
        }
        if let known = try await knownPerson(), vouched.person == nil,
            try await context.provider.administersMore(than: context.project, known.id)
        {
            return .declined(.alreadyRegistered, because: "administers more than this project")
        }
        // Of two concurrent registrations of the same identity, the second finds the person of the
        // first.
        switch try await register(of: try await knownPerson()) {
        case .success(let outcome): return outcome
        case .failure(.raced):
            guard case .success(let outcome) = try await register(of: try await knownPerson())
            else { return .declined(.alreadyRegistered, because: "registered in the meantime") }
            return outcome
        }
    }

    private enum Interruption: Error {
        /// Another registration has created the person concurrently.
        case raced
    }

    /// The existing person of the evidence, if the method allows further installations.
    private func knownPerson() async throws -> Person? {
        if let person = vouched.person { return person }
        guard claim.key != nil, let identity = vouched.identity,
            evidence.method.reusesPerson(context.tenant.project.policy.registration),
            let found = try await context.store.credentials.credential(
                externalID: identity.externalID, kind: .federatedIdentity, in: context.project)
        else { return nil }
        return try await context.store.people.person(found.person)
    }

    private func register(
        of known: Person?
    ) async throws -> Result<Result<RegistrationBinding, CeremonyRefusal>, Interruption> {
        let new = RegistrationRecords(evidence, of: known, in: context)
        let pin = try await claim.pin?.accept(of: new.installation, in: context)
        if claim.pin != nil, pin == nil {
            return .success(.declined(.pinRefused, because: "the offer was refused"))
        }
        let registration = NewRegistration(
            installation: new.installation, person: new.person, credentials: new.credentials,
            uses: [claim.nonce.use] + vouched.uses, consumedGrant: vouched.consumedGrant,
            pin: pin?.stored, isOfKnownPerson: new.isOfKnownPerson, attributes: new.attributes,
            budgets: RegistrationBudgets.all(for: vouched, of: known, in: context),
            window: RegistrationBudgets.window)
        switch try await context.store.installations.register(
            registration, recording: event(of: new))
        {
        case .registered:
            await evidence.method.bound(vouched, context)
            return .success(
                .success(
                    new.binding(
                        recording: .done, pin: pin?.answer, responseMembers: vouched.responseMembers
                    )))
        case .repeated(let installation, let person):
            guard !person.disabled else { return .success(try await again(installation, person)) }
            await evidence.method.bound(vouched, context)
            try await renewAttestedKey()
            return .success(try await again(installation, person))
        case .credentialTaken(.signInKey):
            return .success(try await keyTaken(of: known))
        case .credentialTaken where known == nil && isReusing, .usernameTaken where isRaced(known):
            return .failure(.raced)
        case .limited(let end):
            return .success(.failure(RegistrationBudgets.refusal(until: end, at: context.now)))
        case let outcome: return .success(.failure(Self.declined(outcome)))
        }
    }

    private var isReusing: Bool {
        evidence.method.reusesPerson(context.tenant.project.policy.registration)
    }

    private func isRaced(_ known: Person?) -> Bool {
        known == nil && isReusing && vouched.identity != nil
    }

    private func event(of new: RegistrationRecords) -> AuditEvent {
        context.provider.audit.prepare(
            AuditEventDraft(
                action, in: context.project, facts: context.facts, person: new.person.id,
                details: (["installation": .string(new.installation.id.description)] as JSONValue)
                    .text))
    }

    /// Handles a key that is already registered. If it belongs to the same person, their
    /// installation is returned.
    private func keyTaken(
        of known: Person?
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        guard let known, let key = claim.key,
            let (installation, person) = try await context.installation(of: key),
            person.id == known.id, !person.disabled
        else { return .declined(.keyTaken, because: "the key is registered") }
        return try await again(installation, person)
    }

    /// Replaces the App Attest key. App Attest attests a key once, so an app that repeats a
    /// registration with fresh evidence has created another key. The new key then verifies its
    /// assertions. Repeated evidence changes nothing, because its nonce is consumed.
    private func renewAttestedKey() async throws {
        guard let attested = vouched.attestedKey, let key = claim.key else { return }
        var isFirstTime = false
        // A concurrent assertion of the earlier key changes the counter. Then the update is
        // repeated.
        for _ in 0..<Self.renewals {
            guard
                let credential = try await context.store.credentials.credential(
                    externalID: key.jwk.thumbprint, kind: .signInKey, in: context.project),
                var details = SignInKeyDetails(credential.details),
                details.attestedKey != attested
            else { return }
            if !isFirstTime {
                isFirstTime = try await context.store.challenges.markUsed(
                    claim.nonce.use.mark, expiresAt: claim.nonce.use.expiresAt)
            }
            guard isFirstTime else { return }
            details.attestedKey = attested
            let isRenewed = try await context.store.credentials.recordUse(
                ofUnchanged: credential, to: 0, details: details.json.text, now: context.now)
            if isRenewed { return }
        }
    }

    /// Maximum number of repetitions because of concurrent assertions.
    private static let renewals = 4

    /// Returns the earlier registration again, unless its person is disabled.
    private func again(
        _ installation: Installation, _ person: Person
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        guard !person.disabled else { return .declined(.personDisabled, because: "disabled") }
        let answer = try await claim.pin?.repeated(claim.request.method, action, in: context)
        return .success(
            RegistrationRecords(evidence, of: person, in: context).binding(
                installation, person, recording: .omitted, pin: answer,
                responseMembers: vouched.responseMembers))
    }

    private static func declined(_ outcome: InstallationRegistrationOutcome) -> CeremonyRefusal {
        switch outcome {
        case .registrationTaken:
            CeremonyRefusal(.registrationIDTaken, because: "other key or method under that id")
        case .used(.nonce): CeremonyRefusal(.challengeRefused, because: "the nonce was used")
        case .used(.registeredDevice): CeremonyRefusal(.deviceRegistered, because: "its bit is set")
        case .used: CeremonyRefusal(.tokenUsed, because: "the token was used")
        case .grantNotActive:
            CeremonyRefusal(.tokenUsed, because: "the grant of the token was consumed or revoked")
        case .personGone: CeremonyRefusal(.personDisabled, because: "disabled or gone")
        case .credentialTaken(.signInKey):
            CeremonyRefusal(.keyTaken, because: "the key is registered")
        case .credentialTaken, .usernameTaken, .registered, .repeated, .limited:
            CeremonyRefusal(.alreadyRegistered, because: "the person is registered")
        }
    }
}

extension CeremonyContext {
    /// The installation whose sign-in key is `key`, with its person.
    func installation(of key: InstallationKey) async throws -> (Installation, Person)? {
        guard
            let credential = try await store.credentials.credential(
                externalID: key.jwk.thumbprint, kind: .signInKey, in: project),
            let details = SignInKeyDetails(credential.details),
            let installation = try await store.installations.installation(details.installation),
            let person = try await store.people.person(installation.person)
        else { return nil }
        return (installation, person)
    }
}
