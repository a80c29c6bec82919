// SPDX-License-Identifier: Apache-2.0

/// A reason why a caller may not use an RP ID (WebAuthn section 5.1.3 step 7, 5.1.4.1 step 6).
package enum RelyingPartyScopeError: String, Error, Sendable, CaseIterable {
    /// Not an origin: no scheme, a username, a path, or an invalid character.
    case originMalformed = "origin_malformed"
    /// Neither https, nor http on the machine itself.
    case originNotSecure = "origin_not_secure"
    /// The host is an IP address, which no RP ID can be.
    case hostIsAddress = "host_is_address"
    /// The RP ID is not a domain name in lower-case ASCII form.
    case idMalformed = "rp_id_malformed"
    /// The RP ID is a public suffix such as `com` or `co.uk`, which unrelated sites share.
    case idIsPublicSuffix = "rp_id_is_public_suffix"
    /// The origin's host is neither the RP ID nor below it.
    case originOutsideID = "origin_outside_rp_id"
    /// The app is not associated with the domain.
    case domainNotAssociated = "domain_not_associated"

    package var sentence: String {
        switch self {
        case .originMalformed: "The address of the site is not valid."
        case .originNotSecure: "Security keys work only on sites that use https."
        case .hostIsAddress: "Security keys do not work on sites that are addressed by number."
        case .idMalformed: "The site's name for its security keys is not a domain name."
        case .idIsPublicSuffix: "The site asked for keys of a domain that many sites share."
        case .originOutsideID: "The site asked for keys of another site."
        case .domainNotAssociated: "This app is not associated with the site."
        }
    }
}
