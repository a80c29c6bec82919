// SPDX-License-Identifier: Apache-2.0

/// On whose behalf a ceremony runs.
package enum CeremonyCaller: Sendable, Equatable {
    /// A page, by its origin: `https://login.example.org`. The RP ID must be its host or a suffix
    /// of it that is no public suffix.
    case web(origin: String)
    /// An app, with the domains that it is proven to be associated with. The RP ID must be one of
    /// them. Its origin is `https://` and the RP ID.
    case app(associatedDomains: [String])
    /// A browser that has checked the RP ID and made the client data itself: the bytes whose
    /// SHA-256 the key signs.
    case browser(clientDataJSON: [UInt8])
}
