// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
package import Primitives
package import Storage

/// What an app may do with its person's passkeys: list them, add one, remove one. The access token
/// has the scope `registration`.
///
/// A passkey is the person's, on every device that has it, and not the installation's: it opens
/// their pages as well. So it is added as it is on those pages, by somebody who has just shown who
/// they are; with the PIN where the installation has one.
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

    /// Security keys are among them.
    package func all() async throws -> [Credential] {
        try await PasskeyOptions.keys(of: account.person, context)
    }

    // MARK: Adding

    /// What the system is asked: `PublicKeyCredentialCreationOptionsJSON`.
    package func options() async throws -> Result<PasskeyOptions, Refusal> {
        if let refusal = try await unshown() { return .failure(refusal) }
        return try await PasskeyOptions.add(for: shown, in: context)
    }

    /// `{"ceremony", "credential", "name"?}`, where the second is a `RegistrationResponseJSON`.
    package func add(_ body: JSONObject) async throws -> Result<Credential, Refusal> {
        if let refusal = try await unshown() { return .failure(refusal) }
        let steps = PasskeyRegistration(
            ceremony: body["ceremony"]?.string ?? "", response: body["credential"] ?? .null,
            member: shown, label: body["name"]?.string.flatMap { UserName.display($0, upTo: 64) })
        return try await RegistrationPipeline(context).run(steps).flatMap { binding in
            binding.credential.map { .success($0) }
                ?? .failure(UserFacingRefusal.passkeyRefused.refusal(because: "no credential"))
        }
    }

    private var shown: AuthenticatedPerson {
        AuthenticatedPerson(
            person: account.person, shownAt: account.authenticatedAt ?? Timestamp(seconds: 0),
            session: nil)
    }

    /// A key that signs unasked shows nobody: whoever has the device has it.
    private func unshown() async throws -> Refusal? {
        guard account.methods.contains(where: { !AuthenticationFactor.keyMethods.contains($0) })
        else {
            return RegistrationErrorCode.freshSignInNeeded.refusal(because: "nobody was asked")
        }
        guard let installation = account.current,
            try await context.store.installation(installation)?.hasPIN == true,
            !account.methods.contains("pin")
        else { return nil }
        return RegistrationErrorCode.freshSignInNeeded.refusal(because: "signed in without the PIN")
    }

    // MARK: Removing

    /// Never the last way in, and only by somebody who has just shown who they are.
    package func remove(_ id: Identifier<Credential>) async throws -> Result<Void, Refusal> {
        if let refusal = try await unshown() { return .failure(refusal) }
        let person = account.person
        let outcome = try await removing(id)
        let settled = try await context.settle("credential.removed", outcome) { _ in person.id }
        return settled.map { credential in
            Mailer(context: context).send(.passkeyRemoved(label: credential.label), to: person)
        }
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
        let removal = try await context.store.remove(
            credential: id, of: person, othersWait: AwaitedApprovals.othersWait(afterRemovalIn: nil)
        )
        return switch removal {
        case .removed(let credential): .success(credential)
        case .lastWayIn: .refused(.lastWayIn, because: "last way in", person: person)
        case .unknown: .refused(.unknownCredential, because: "gone meanwhile", person: person)
        }
    }
}
