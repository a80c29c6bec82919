// SPDX-License-Identifier: Apache-2.0
import JOSE
import UserClient

extension IdentityClient {
    /// What the provider calls somebody who came by a browser, a credential or a passkey: ID tokens
    /// do not say, so the provider is asked (OpenID Connect Core section 5.3). Without an answer it
    /// is their identifier; nothing but a name on a screen hangs on it.
    nonisolated func username(
        of userID: String, in idToken: IDToken, by tokens: StoredTokens, key name: RecordName,
        _ system: ClientDependencies
    ) async -> String {
        if let said = idToken.claim("preferred_username", as: String.self) { return said }
        let book = system.book
        let presentation = TokenPresentation(connection: system.connection) {
            guard let key = try await book.keys.key(name) else {
                throw StoreError.damaged("the key \(name) is missing")
            }
            return key
        }
        // Section 5.3.2: an answer about somebody else is none.
        guard let url = try? await system.connection.knownDocuments().directory.userInfo,
            let answer = try? await presentation.send(ResourceRequest(url), with: tokens),
            answer.status == 200, let claims = try? ProviderConnection.object(answer),
            claims["sub"]?.string == userID
        else { return userID }
        return claims["preferred_username"]?.string ?? userID
    }
}
