// SPDX-License-Identifier: Apache-2.0

/// A further authenticator of a profile, as it is stored.
struct StoredAuthenticator: Sendable, Equatable {
    /// The name of its kind at the provider.
    var kind: String
    /// Its identifier at the provider.
    var id: String
    /// The name of the verifier's key.
    var key: RecordName
    /// `kid` at the provider.
    var keyID: String

    var authenticator: Authenticator { Authenticator(kind: kind) }
}
