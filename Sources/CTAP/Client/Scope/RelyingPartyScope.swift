// SPDX-License-Identifier: Apache-2.0
package import PublicSuffix

/// Decides whether a caller may use an RP ID, and what origin it has.
package struct RelyingPartyScope: Sendable {
    let publicSuffixes: PublicSuffixList

    package init(publicSuffixes: PublicSuffixList = .vendored) {
        self.publicSuffixes = publicSuffixes
    }

    /// The RP ID and the origin of a page: "is a registrable domain suffix of or is equal to"
    /// (HTML section 7.1.1.2, WebAuthn section 5.1.3 step 7).
    package func check(
        id: String?, origin text: String
    ) throws(RelyingPartyScopeError) -> (id: String, origin: String) {
        let origin = try WebOrigin(text)
        guard let id, id != origin.host else { return (origin.host, origin.text) }
        guard DomainName.isValid(id) else { throw .idMalformed }
        guard origin.host.hasSuffix("." + id) else { throw .originOutsideID }
        // The suffix of the host is compared too: under a rule like `*.kobe.jp`, `kobe.jp` is not a
        // public suffix itself, and yet does not belong to the sites below it.
        let suffix = publicSuffixes.publicSuffix(of: origin.host)
        guard !publicSuffixes.isPublicSuffix(id), !suffix.hasSuffix("." + id) else {
            throw .idIsPublicSuffix
        }
        return (id, origin.text)
    }

    /// The RP ID and the origin of an app that is associated with `domains`.
    package func check(
        id: String?, associatedDomains domains: [String]
    ) throws(RelyingPartyScopeError) -> (id: String, origin: String) {
        guard let id = id ?? (domains.count == 1 ? domains[0] : nil), DomainName.isValid(id)
        else { throw .idMalformed }
        guard domains.contains(where: { $0.utf8.elementsEqual(id.utf8) }) else {
            throw .domainNotAssociated
        }
        return (id, "https://" + id)
    }
}
