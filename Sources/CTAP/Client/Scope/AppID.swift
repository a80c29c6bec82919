// SPDX-License-Identifier: Apache-2.0
import PublicSuffix

/// The AppID of U2F, under which older credentials were made (WebAuthn section 10.1.1).
enum AppID {
    /// An https URL whose host shares its registrable domain with the RP ID. Facet lists, which
    /// would have to be fetched, are not followed.
    static func check(
        _ appId: String, _ relyingPartyId: String, _ suffixes: PublicSuffixList = .vendored
    ) throws(SecurityKeyError) {
        guard appId.hasPrefix("https://"), appId.utf8.count <= 512 else {
            throw .malformedOptions("options.extensions.appid")
        }
        let host = String(appId.dropFirst(8).prefix { !"/?#:@\\".contains($0) })
        guard DomainName.isValid(host) else { throw .malformedOptions("options.extensions.appid") }
        guard
            host == relyingPartyId
                || registrableDomain(host, suffixes) == registrableDomain(relyingPartyId, suffixes)
        else { throw .relyingPartyNotAllowed(.originOutsideID) }
    }

    private static func registrableDomain(
        _ host: String, _ suffixes: PublicSuffixList
    ) -> Substring? {
        let suffix = suffixes.publicSuffix(of: host)
        guard suffix.count < host.count else { return host[...] }
        let label = host.dropLast(suffix.count + 1).split(separator: ".").last ?? ""
        return host.suffix(label.count + 1 + suffix.count)
    }
}
