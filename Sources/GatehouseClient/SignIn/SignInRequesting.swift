// SPDX-License-Identifier: Apache-2.0

/// The app's sign-in screen for ``IdentityClient/requireSession(for:asking:)``: shows it, and returns
/// when it is closed.
public protocol SignInRequesting: Sendable {
    /// Signs the person in or registers them, with any method of the client.
    ///
    /// - Parameters:
    ///   - profile: The person; `nil` if no profile exists, or any person may sign in.
    ///   - client: The client to use.
    /// - Throws: Any error if the person does not sign in. All waiting callers receive it.
    func requestSignIn(_ profile: Profile?, at client: IdentityClient) async throws
}
