// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A key that signs tokens of a project. The private part is sealed under a key that is not in
/// the database.
package struct SigningKey: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// Published and not yet signing, so that relying parties fetch it before its first use.
        case next
        /// Signs new tokens. One each (project, algorithm).
        case active
        /// Still published so that active tokens verify.
        case retiring
        /// No longer published.
        case retired
    }

    package var id: Identifier<SigningKey>
    package var project: Identifier<Project>
    /// The JWK `kid`.
    package var kid: String
    /// `ES256` or `RS256`.
    package var algorithm: String
    package var state: State
    /// Public JWK as JSON.
    package var publicJWK: String
    package var sealedPrivateKey: [UInt8]
    package var createdAt: Timestamp
    package var changedAt: Timestamp

    package init(
        id: Identifier<SigningKey>, project: Identifier<Project>, kid: String, algorithm: String,
        state: State, publicJWK: String, sealedPrivateKey: [UInt8], createdAt: Timestamp,
        changedAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.kid = kid
        self.algorithm = algorithm
        self.state = state
        self.publicJWK = publicJWK
        self.sealedPrivateKey = sealedPrivateKey
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}
