// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import OAuth
package import Primitives
package import ProviderCore
package import Storage

/// The operations of an installation on its authenticators: list, add, remove. The access token
/// must be issued to the installation, with the scope `registration`.
package struct AuthenticatorAccount: Sendable {
    private let account: RegisteredAccount
    private let installation: Identifier<Installation>
    private let context: CeremonyContext

    /// Maximum age of the sign-in for adding one.
    static let freshness = TimeSpan.minutes(10)

    package static func open(
        _ accessToken: PresentedAccessToken?, in context: CeremonyContext
    ) async throws -> Result<AuthenticatorAccount, Refusal> {
        try await RegisteredAccount.open(accessToken, in: context).flatMap { account in
            guard let installation = account.current else {
                return .failure(
                    RegistrationErrorCode.unknownInstallation.refusal(
                        because: "a token of no installation"))
            }
            return .success(
                AuthenticatorAccount(
                    account: account, installation: installation, context: context))
        }
    }

    private init(
        account: RegisteredAccount, installation: Identifier<Installation>,
        context: CeremonyContext
    ) {
        self.account = account
        self.installation = installation
        self.context = context
    }

    /// Returns the authenticators, oldest first.
    package func all() async throws -> [InstallationAuthenticator] {
        try await context.store.credentials.credentials(of: account.person.id).compactMap {
            $0.installation == installation ? InstallationAuthenticator($0) : nil
        }
    }

    // MARK: Addition

    /// The parsed request for a new authenticator.
    private struct Wanted {
        let kind: String
        let name: String
        let key: InstallationKey
        let nonce: StatelessNonce.Genuine
    }

    /// Adds an authenticator from `{"kind", "nonce", "public_key", "key_proof", "name"?}`. The key
    /// signs the nonce as in a registration. A repeated request with the same key returns the
    /// existing authenticator.
    package func add(
        _ body: JSONObject
    ) async throws -> Result<(authenticator: InstallationAuthenticator, isNew: Bool), Refusal> {
        let wanted: Wanted
        switch read(body) {
        case .success(let read): wanted = read
        case .failure(let refusal): return .failure(refusal)
        }
        let known = try await all()
        if let same = known.first(where: {
            $0.credential.externalID == wanted.key.jwk.thumbprint && $0.kind == wanted.kind
        }) {
            return .success((same, false))
        }
        let draft = draft("authenticator.added", wanted.kind)
        if let (code, reason) = try await policy(wanted, known) {
            return try await context.refuse(draft, code, because: reason)
        }
        let credential = credential(for: wanted)
        let outcome = try await context.store.installations.add(
            authenticator: credential, using: wanted.nonce.use,
            recording: context.provider.audit.prepare(draft))
        switch outcome {
        case .added:
            context.provider.audit.wasRecorded(draft)
            guard let made = InstallationAuthenticator(credential) else { break }
            return .success((made, true))
        case .used:
            return try await context.refuse(draft, .challengeRefused, because: "the nonce was used")
        case .taken: return try await context.refuse(draft, .keyTaken, because: "registered before")
        case .notStanding: break
        }
        return try await context.refuse(
            draft, .unknownInstallation, because: "deleted in the meantime")
    }

    private func read(_ body: JSONObject) -> Result<Wanted, Refusal> {
        func missing(_ name: String) -> Result<Wanted, Refusal> {
            .failure(
                RegistrationErrorCode.missingInput.refusal("\(name) is missing.", because: name))
        }
        guard let kind = body["kind"]?.string else { return missing("kind") }
        guard let text = body["nonce"]?.string else { return missing("nonce") }
        guard let sent = body["public_key"] else { return missing("public_key") }
        guard let proof = body["key_proof"]?.string else { return missing("key_proof") }
        guard InstallationAuthenticator.isKind(kind), let key = try? InstallationKey(sent),
            let name = AppRegistrationRequest.name(body["name"])
        else {
            return .failure(
                RegistrationErrorCode.malformedInput.refusal(because: "kind, key or name"))
        }
        guard let nonce = context.nonces(for: .authenticator).check(text) else {
            return .failure(
                RegistrationErrorCode.challengeRefused.refusal(because: "not our nonce"))
        }
        guard KeyBinding(nonce: nonce.text, key: key).isProven(by: proof) else {
            return .failure(RegistrationErrorCode.keyProofRefused.refusal(because: "wrong proof"))
        }
        return .success(Wanted(kind: kind, name: name, key: key, nonce: nonce))
    }

    /// Requires a fresh sign-in with the strongest method of the installation.
    private func policy(
        _ wanted: Wanted, _ known: [InstallationAuthenticator]
    ) async throws -> (RegistrationErrorCode, String)? {
        guard context.tenant.project.policy.registration.authenticators.contains(wanted.kind) else {
            return (.authenticatorNotOffered, "not offered")
        }
        guard known.count < InstallationAuthenticator.maximumCount else {
            return (.authenticatorNotOffered, "as many as there may be")
        }
        guard let shown = account.authenticatedAt, context.now - shown <= Self.freshness else {
            return (.freshSignInNeeded, "signed in long ago")
        }
        let hasPIN =
            try await context.store.installations.installation(installation)?.hasPIN ?? false
        guard !hasPIN || account.methods.contains("pin") else {
            return (.freshSignInNeeded, "signed in without the PIN")
        }
        return nil
    }

    private func credential(for wanted: Wanted) -> Credential {
        var details = SignInKeyDetails(
            keyID: wanted.key.jwk.thumbprintText, installation: installation, isInHardware: false,
            authenticator: wanted.kind)
        let shown = ContextClass(exactly: account.contextClass)
        details.addedByTwoFactors = shown.map { $0 >= .phishingResistant } ?? false
        return Credential(
            id: context.newIdentifier(), project: context.project, person: account.person.id,
            kind: .signInKey, externalID: wanted.key.jwk.thumbprint,
            publicPart: wanted.key.jwk.json.bytes, details: details.json.text, label: wanted.name,
            createdAt: context.now, installation: installation)
    }

    // MARK: Removal

    package func remove(_ id: Identifier<Credential>) async throws -> Result<Void, Refusal> {
        let draft = draft("authenticator.removed", nil)
        let removed = try await context.store.installations.remove(
            authenticator: id, of: installation,
            recording: context.provider.audit.prepare(draft))
        guard removed else {
            return try await context.refuse(
                draft, .unknownAuthenticator, because: "not theirs, or gone")
        }
        context.provider.audit.wasRecorded(draft)
        return .success(())
    }

    private func draft(_ action: String, _ kind: String?) -> AuditEventDraft {
        var details = JSONObject()
        details["installation"] = .string(installation.description)
        details["kind"] = kind.map(JSONValue.string)
        return AuditEventDraft(
            action, in: context.project, facts: context.facts, person: account.person.id,
            details: details.json.text)
    }
}
