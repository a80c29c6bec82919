// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A successful authorization: what was obtained, and from which provider.
public final class ASAuthorization: NSObject, Sendable {
    /// The provider that made the request.
    public let provider: any ASAuthorizationProvider & Sendable
    /// The credential. Cast it to the class that belongs to the request.
    public let credential: any ASAuthorizationCredential & Sendable

    package init(
        provider: any ASAuthorizationProvider & Sendable,
        credential: any ASAuthorizationCredential & Sendable
    ) {
        self.provider = provider
        self.credential = credential
    }
}
