// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
package import Primitives
package import ProviderCore
package import ProviderPeople
import ProviderSettings
package import Storage

/// The operations of an app on its person's passkeys: list, add, remove. The access token must have
/// the scope `registration`.
///
/// A passkey belongs to the person and not to the installation: it can also be used to sign in to
/// the account pages. Therefore it is added as on those pages, after a fresh sign-in; with the PIN
/// if the installation has one.
package struct PasskeyAccount: Sendable {
    private let account: RegisteredAccount
    private let context: CeremonyContext

    package static func open(
        _ accessToken: PresentedAccessToken?, in context: CeremonyContext
    ) async throws -> Result<PasskeyAccount, Refusal> {
        try await RegisteredAccount.open(accessToken, in: context).map {
            PasskeyAccount(account: $0, context: context)
        }
    }

    private init(account: RegisteredAccount, context: CeremonyContext) {
        self.account = account
        self.context = context
    }

    /// Returns the passkeys and security keys.
    package func all() async throws -> [Credential] {
        try await PasskeyOptions.keys(of: account.person, context)
    }

    // MARK: Addition

    /// The options for the system: `PublicKeyCredentialCreationOptionsJSON`.
    package func options() async throws -> Result<PasskeyOptions, Refusal> {
        if let refusal = try await unshown() { return .failure(refusal) }
        return try await PasskeyOptions.add(for: shown, in: context)
    }

    /// Adds a passkey from `{"ceremony", "credential", "name"?}`; the second is a
    /// `RegistrationResponseJSON`.
    package func add(_ body: JSONObject) async throws -> Result<Credential, Refusal> {
        if let refusal = try await unshown() { return .failure(refusal) }
        let steps = PasskeyRegistration(
            ceremony: body["ceremony"]?.string ?? "", response: body["credential"] ?? .null,
            member: shown, label: body["name"]?.string.flatMap { UserName.display($0, upTo: 64) })
        return try await CeremonyRunner(context).run(steps).flatMap { binding in
            binding.credential.map { .success($0) }
                ?? .failure(UserFacingRefusal.passkeyRefused.refusal(because: "no credential"))
        }
    }

    private var shown: AuthenticatedPerson {
        AuthenticatedPerson(
            person: account.person, shownAt: account.authenticatedAt ?? Timestamp(seconds: 0),
            session: nil)
    }

    /// Refuses a sign-in without user verification: a key alone can be used by a person who has the
    /// device.
    private func unshown() async throws -> Refusal? {
        guard account.methods.contains(where: { !AuthenticationFactor.keyMethods.contains($0) })
        else {
            return RegistrationErrorCode.freshSignInNeeded.refusal(
                because: "no factor with user verification")
        }
        guard let installation = account.current,
            try await context.store.installations.installation(installation)?.hasPIN == true,
            !account.methods.contains("pin")
        else { return nil }
        return RegistrationErrorCode.freshSignInNeeded.refusal(because: "signed in without the PIN")
    }

    // MARK: Removal

    /// Removes a passkey after a fresh sign-in. The only sign-in method cannot be removed.
    package func remove(_ id: Identifier<Credential>) async throws -> Result<Void, Refusal> {
        if let refusal = try await unshown() { return .failure(refusal) }
        let person = account.person
        let outcome = try await removing(id)
        return try await context.finish(
            "credential.removed", outcome,
            notification: { (.passkeyRemoved(label: $0.label), person) },
            person: { _ in person.id }
        ).map { _ in }
    }

    private func removing(
        _ id: Identifier<Credential>
    ) async throws -> Result<Credential, CeremonyRefusal> {
        let person = account.person.id
        guard shown.isFresh(at: context.now) else {
            return .refused(.freshSignInNeeded, because: "not fresh", person: person)
        }
        guard try await all().contains(where: { $0.id == id }) else {
            return .refused(.unknownCredential, because: "no passkey of theirs", person: person)
        }
        let removal = try await context.store.credentials.remove(
            credential: id, of: person, othersWait: AwaitedApprovals.othersWait(afterRemovalIn: nil)
        )
        return switch removal {
        case .removed(let credential): .success(credential)
        case .lastWayIn: .refused(.lastWayIn, because: "only sign-in method", person: person)
        case .unknown:
            .refused(.unknownCredential, because: "deleted in the meantime", person: person)
        }
    }
}
