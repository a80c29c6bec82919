// SPDX-License-Identifier: Apache-2.0
import UserClient

extension IdentityClient {
    /// Signs somebody out here and in their browser, where the session that a browser sign-in made
    /// would let them in again without asking (OpenID Connect RP-Initiated Logout 1.0).
    ///
    /// The page comes first: when the person closes it nobody is signed out, here neither. Profile,
    /// key and PIN stay. The client needs the redirect address among its
    /// `post_logout_redirect_uris`.
    ///
    /// - Throws: ``IdentityError/Code/notSignedIn``, ``IdentityError/Code/cancelled`` when the
    ///   person closes the window, ``IdentityError/Code/methodNotSupported`` when the provider has
    ///   no page for it or named nobody when it signed them in: ``signOut(_:_:)`` serves then.
    @discardableResult
    public func signOut(
        _ profile: Profile.ID, in presenter: some BrowserPresenter
    ) async throws -> RemovalOutcome {
        try await IdentityError.surfacing(.signOut) {
            let session = try await session(for: profile)
            guard let idToken = session.cache.tokens?.idToken,
                let ceremony = BrowserSignOut(
                    directory: try await system.connection.currentDocuments().directory,
                    clientID: system.configuration.clientID, idToken: idToken,
                    random: system.random)
            else {
                throw IdentityError(
                    .signOut, .methodNotSupported, "no page of the provider can sign them out")
            }
            let answer = try await presenter.answer(to: BrowserRequest(ceremony))
            guard ceremony.isExpected(answer.parameters) else {
                throw IdentityError(
                    .signOut, .redirectMismatch, "the answer belongs to another ceremony")
            }
        }
        return try await signOut(profile)
    }
}
