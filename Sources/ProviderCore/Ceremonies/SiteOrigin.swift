// SPDX-License-Identifier: Apache-2.0

/// The web origin of an issuer (RFC 6454), and its host, which is the WebAuthn RP ID.
package struct SiteOrigin: Sendable, Equatable {
    /// The serialization of browsers: `https://login.example.com`, `http://localhost:8080`.
    package let origin: String
    package let host: String

    /// Returns `nil` if the issuer is not an http or https URL.
    package init?(issuer: String) {
        guard let separator = issuer.firstRange(of: "://") else { return nil }
        let scheme = issuer[..<separator.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        let authority = issuer[separator.upperBound...].prefix { $0 != "/" }.lowercased()
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        let usual = scheme == "https" ? ":443" : ":80"
        let place = authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority
        origin = "\(scheme)://\(place)"
        if place.hasPrefix("[") {
            host = String(place.prefix { $0 != "]" }) + "]"
        } else {
            host = String(place.prefix { $0 != ":" })
        }
    }
}
