// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
package import Primitives
package import ProviderCore
import Storage

/// The first or a new password of a signed-in person.
///
/// It requires the current password, or a factor of the last five minutes. It ends all other
/// sessions and revokes all grants of the person.
package struct PasswordChange: CredentialRegistrationCeremony {
    let signedIn: AuthenticatedSession
    let current: Secret?
    let new: Secret

    package init(signedIn: AuthenticatedSession, current: Secret?, new: Secret) {
        self.signedIn = signedIn
        self.current = current
        self.new = new
    }

    package var action: String { "credential.password.set" }

    package func verify(
        _ context: CeremonyContext
    ) async throws -> Result<PasswordCredential?, CeremonyRefusal> {
        .success(try await PasswordCredential.of(signedIn.person.id, in: context))
    }

    package func prove(
        _ stored: PasswordCredential?, _ context: CeremonyContext
    ) async throws -> Result<ProvenChange, CeremonyRefusal> {
        if let declined = try await authorise(stored, context) { return .failure(declined) }
        let earlier = stored.map { EarlierPassword.only($0.credential.id) } ?? .nothing
        return try await PasswordValidator.validate(new, for: signedIn.person, in: context)
            .continued { password in
                guard try await stored?.isFirst(password, in: context) != true else {
                    return .refused(
                        .passwordUnchanged, because: "the first password",
                        person: signedIn.person.id)
                }
                return .success(ProvenChange(password: password, earlier: earlier))
            }
    }

    /// A new password, and the earlier one that was verified.
    package struct ProvenChange: Sendable {
        let password: Password
        let earlier: EarlierPassword
    }

    private func authorise(
        _ stored: PasswordCredential?, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        let person = signedIn.person
        if let current, let stored {
            let outcome = try await GuessBudgets.password(of: person, named: nil, in: context)
                .attempt { try await check(current, stored, context) }
            if case .failure(let declined) = outcome { return declined }
            return nil
        }
        guard signedIn.isFresh(at: context.now) else {
            return CeremonyRefusal(
                UserFacingRefusal.freshSignInNeeded.refusal(because: "no fresh factor"),
                person: person.id)
        }
        return nil
    }

    private func check(
        _ current: Secret, _ stored: PasswordCredential, _ context: CeremonyContext
    ) async throws -> Result<Void, CeremonyRefusal> {
        guard let password = Password(current),
            try await context.provider.passwords.verify(password, against: stored.phc)
        else {
            return .refused(
                .passwordWrong, because: "current password", person: signedIn.person.id)
        }
        return .success(())
    }

    package func decide(
        _ change: ProvenChange, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        // A person of an upstream provider cannot sign in with a password, because their username
        // is not typed.
        signedIn.person.realm.isEmpty
            ? nil
            : CeremonyRefusal(
                UserFacingRefusal.notAllowed.refusal(because: "a person of another provider"),
                person: signedIn.person.id)
    }

    package func commit(
        _ change: ProvenChange, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        let person = signedIn.person
        var credential = try await PasswordCredential.make(
            change.password, for: person.id, in: context)
        let approvals = AwaitedApprovals(context)
        credential.awaitsApproval = try await approvals.isNeeded(
            for: credential, in: signedIn.session)
        // An administrator may have set another password since the verification.
        guard
            try await context.store.credentials.setPassword(
                credential, replacing: change.earlier, keeping: signedIn.session.id,
                now: context.now)
        else {
            return .refused(
                .passwordWrong, because: "the password changed in the meantime", person: person.id)
        }
        try await approvals.announce(credential, of: person)
        return .success(
            RegistrationBinding(
                person: person, credential: credential,
                factor: .password(credential.id, at: context.now),
                notice: .passwordChanged))
    }
}
