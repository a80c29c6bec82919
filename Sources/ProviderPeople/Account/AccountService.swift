// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
import ProviderSettings
package import Storage

/// The changes that a signed-in person makes to their own account. They cannot change `verified`
/// flags, groups or the project.
package struct AccountService: Sendable {
    let context: CeremonyContext
    let signedIn: AuthenticatedSession

    package init(_ context: CeremonyContext, signedIn: AuthenticatedSession) {
        self.context = context
        self.signedIn = signedIn
    }

    private var person: Person { signedIn.person }

    /// Removes a passkey, the password or a federated identity. The only sign-in method cannot be
    /// removed.
    package func remove(
        credential id: Identifier<Credential>
    ) async throws -> Result<
        Credential, Refusal
    > {
        let outcome = try await fresh { try await removing(id) }
        return try await finish("credential.removed", outcome) { credential in
            switch credential.kind {
            case .password: .passwordRemoved
            case .federatedIdentity: .providerUnlinked(label: credential.label)
            default: .passkeyRemoved(label: credential.label)
            }
        }
    }

    /// Like ``remove(credential:)``, for the passkey or security key with this credential ID.
    package func remove(
        keyID: [UInt8]
    ) async throws -> Result<
        Credential, Refusal
    > {
        let found = try await context.store.credentials.credential(
            externalID: keyID, kind: .publicKey, in: context.project)
        // An unknown key is refused and audited like one of another person.
        return try await remove(credential: found?.id ?? context.newIdentifier())
    }

    private func removing(
        _ id: Identifier<Credential>
    ) async throws -> Result<
        Credential, CeremonyRefusal
    > {
        let removal = try await context.store.credentials.remove(
            credential: id, of: person.id,
            othersWait: AwaitedApprovals.othersWait(afterRemovalIn: signedIn.session))
        return switch removal {
        case .removed(let credential): .success(credential)
        case .lastWayIn: .refused(.lastWayIn, because: "only sign-in method", person: person.id)
        case .unknown:
            .refused(.unknownCredential, because: "unknown credential", person: person.id)
        }
    }

    /// Revokes a lost key: deletes the key, ends the sessions that were started with it, and
    /// notifies its owner. It requires no fresh sign-in, so that the owner can act before the key
    /// is misused. The only sign-in method can be removed too if the account has recovery codes or
    /// a verified email address.
    package func reportLost(
        credential id: Identifier<Credential>
    ) async throws -> Result<Credential, Refusal> {
        let mayLeaveNone = try await hasRoadBack()
        let removal = try await context.store.credentials.revokeLost(
            credential: id, of: person.id, keeping: signedIn.session.id,
            leavingNone: mayLeaveNone,
            othersWait: AwaitedApprovals.othersWait(afterRemovalIn: signedIn.session),
            now: context.now)
        let outcome: Result<Credential, CeremonyRefusal> =
            switch removal {
            case .removed(let credential): .success(credential)
            case .lastWayIn: .refused(.lastWayIn, because: "only sign-in method", person: person.id)
            case .unknown:
                .refused(.unknownCredential, because: "unknown credential", person: person.id)
            }
        return try await finish("credential.lost", outcome) { .keyLost(label: $0.label) }
    }

    private func hasRoadBack() async throws -> Bool {
        if context.provider.mail != nil, person.claims.email != nil,
            person.claims.emailVerified == true
        {
            return true
        }
        return try await context.store.credentials.credentials(of: person.id)
            .contains { $0.kind == .recoveryCode }
    }

    /// The person's credential with this identifier, or `nil`.
    package func credential(_ id: Identifier<Credential>?) async throws -> Credential? {
        try await context.store.credentials.credentials(of: person.id).first { $0.id == id }
    }

    /// Renames a passkey.
    package func rename(
        credential id: Identifier<Credential>, to typed: String
    ) async throws -> Result<String, Refusal> {
        let outcome: Result<String, CeremonyRefusal>
        if let label = UserName.display(typed, upTo: 64) {
            let found = try await context.store.credentials.rename(
                credential: id, of: person.id, label: label)
            outcome =
                found
                ? .success(label)
                : .refused(.unknownCredential, because: "unknown credential", person: person.id)
        } else {
            outcome = .refused(.labelInvalid, because: "label", person: person.id)
        }
        return try await finish("credential.renamed", outcome)
    }

    /// Creates ten recovery codes, which replace the earlier ones. They are displayed once and
    /// stored as keyed hashes.
    package func makeRecoveryCodes() async throws -> Result<[String], Refusal> {
        let outcome: Result<[String], CeremonyRefusal> = try await fresh {
            let codes = (0..<RecoveryCodes.count).map { _ in
                RecoveryCodes.make(random: context.provider.random)
            }
            try await context.store.credentials.replaceRecoveryCodes(
                of: person.id, with: codes.compactMap(credential(for:)))
            return .success(codes)
        }
        return try await finish("credential.recovery-codes.made", outcome) { _ in
            .recoveryCodesMade
        }
    }

    private func credential(for code: String) -> Credential? {
        RecoveryCodes.hash(code, of: person.id, secrets: context.provider.secrets).map {
            Credential(
                id: context.newIdentifier(), project: context.project, person: person.id,
                kind: .recoveryCode, externalID: $0, createdAt: context.now)
        }
    }

    /// Ends a session.
    package func end(session id: Identifier<Session>) async throws -> Result<Bool, Refusal> {
        let ended = try await context.store.sessions.end(
            session: id, of: person.id, now: context.now)
        let outcome: Result<Bool, CeremonyRefusal> =
            ended
            ? .success(true)
            : .refused(.unknownSession, because: "unknown session", person: person.id)
        return try await finish("session.ended", outcome)
    }

    /// Ends all sessions except this one. Returns their number.
    package func endOtherSessions() async throws -> Result<Int, Refusal> {
        let count = try await context.store.sessions.endSessions(
            of: person.id, except: signedIn.session.id, now: context.now)
        return try await finish("session.others-ended", .success(count))
    }

    /// Revokes the consent for a client, with its tokens.
    package func withdraw(
        consentFor client: Identifier<Client>
    ) async throws -> Result<
        Bool, Refusal
    > {
        let withdrawn = try await context.store.consents.withdraw(
            person: person.id, client: client, now: context.now)
        let outcome: Result<Bool, CeremonyRefusal> =
            withdrawn
            ? .success(true)
            : .refused(.unknownConsent, because: "no consent", person: person.id)
        return try await finish("consent.withdrawn", outcome)
    }

    /// Changes the display name.
    package func rename(to typed: String) async throws -> Result<String, Refusal> {
        let outcome: Result<String, CeremonyRefusal>
        if let name = UserName.display(typed) {
            let change = try await context.store.people.change(
                ofOneself: person.id, now: context.now
            ) {
                $0.name = name
            }
            outcome =
                change.isKept
                ? .success(name)
                : .refused(.nameInvalid, because: "the person is disabled or gone")
        } else {
            outcome = .refused(.nameInvalid, because: "display name", person: person.id)
        }
        return try await finish("person.renamed", outcome)
    }

    func fresh<Value>(
        _ change: () async throws -> Result<Value, CeremonyRefusal>
    ) async throws -> Result<Value, CeremonyRefusal> {
        guard signedIn.isFresh(at: context.now) else {
            return .refused(.freshSignInNeeded, because: "not fresh", person: person.id)
        }
        return try await change()
    }

    func finish<Value: Sendable>(
        _ action: String, _ outcome: Result<Value, CeremonyRefusal>,
        notification: (Value) -> AccountNotification.Kind? = { _ in nil },
        details: (Value) -> String? = { _ in nil }
    ) async throws -> Result<Value, Refusal> {
        try await context.finish(
            action, outcome, details: details,
            notification: { value in
                notification(value).map { ($0, person) }
            }, person: { _ in person.id })
    }
}
