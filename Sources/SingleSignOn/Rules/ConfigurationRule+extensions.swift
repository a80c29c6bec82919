// SPDX-License-Identifier: Apache-2.0

/// Rules of the generic keys.
extension ConfigurationRule {
    static let ofExtensions = [
        ConfigurationRule("the names of extension and team") { checkNames(&$0) },
        ConfigurationRule("addresses for the type") { checkAddresses(&$0) },
        ConfigurationRule("each URL") { checkURLs(&$0) },
        ConfigurationRule("each host") { checkHosts(&$0) },
        ConfigurationRule("denied apps") { checkDeniedApps(&$0) },
        ConfigurationRule("associated domains of a redirect extension") { checkDomains(&$0) },
    ]

    private static func checkNames(_ review: inout SSOReview) {
        let configuration = review.configuration
        if let identifier = configuration.extensionIdentifier, !AppIdentifier.isBundle(identifier) {
            review.report(
                .error, .malformedIdentifier, at: "ExtensionIdentifier",
                "\"\(identifier)\" is not a bundle identifier",
                remedy: "as com.example.app.sso-extension")
        }
        guard let team = configuration.teamIdentifier else {
            guard configuration.extensionIdentifier != nil else { return }
            return review.report(
                .error, .missingKey, at: "TeamIdentifier",
                "macOS needs the team of the extension",
                remedy: review.isDeclaration
                    ? "as com.example.app.sso-extension (ABCDE12345)" : "as ABCDE12345")
        }
        if !AppIdentifier.isAppleTeam(team) {
            review.report(
                .warning, .malformedTeam, at: "TeamIdentifier",
                "\"\(team)\" is not an Apple team identifier", remedy: "ten capitals and digits")
        }
    }

    private static func checkAddresses(_ review: inout SSOReview) {
        guard let type = review.configuration.type else { return }
        let (needed, ignored) =
            type == .redirect ? ("URLs", ["Hosts", "Realm"]) : ("Hosts", ["URLs"])
        let count =
            type == .redirect ? review.configuration.urls?.count : review.configuration.hosts?.count
        if count ?? 0 == 0 {
            review.report(
                .error, .missingAddresses, at: needed,
                "an extension of type \(type.rawValue) needs \(needed)")
        }
        for key in ignored where review.has(key) {
            review.report(
                .warning, .ignoredKey, at: key,
                "\(key) is ignored for the type \(type.rawValue)")
        }
    }

    private static func checkURLs(_ review: inout SSOReview) {
        guard review.configuration.type != .credential else { return }
        // By their indexes in the list, which omits elements other than text.
        for (index, node) in (review.node["URLs"]?.elements ?? []).enumerated() {
            guard let url = node.string else { continue }
            do throws(HTTPAddress.ParseError) {
                let address = try HTTPAddress(url)
                check(address, url, at: index, &review)
            } catch {
                review.report(
                    .error, .malformedURL, at: "URLs", index: index,
                    "\"\(url)\" \(error.reason)", remedy: "as https://idp.example.com/path/")
            }
        }
    }

    private static func check(
        _ address: HTTPAddress, _ url: String, at index: Int, _ review: inout SSOReview
    ) {
        if address.hasQuery || address.hasFragment {
            let part = address.hasQuery ? "query" : "fragment"
            review.report(
                .error, .urlQuery, at: "URLs", index: index,
                "\"\(url)\" has a \(part), which a prefix cannot have",
                remedy: String(url.prefix { $0 != "?" && $0 != "#" }))
        }
        if !address.origin.isSecure {
            review.report(
                .warning, .urlNotSecure, at: "URLs", index: index,
                "\"\(url)\" is not encrypted; an attacker on the network can respond to it",
                remedy: "https://")
        }
    }

    private static func checkHosts(_ review: inout SSOReview) {
        guard review.configuration.type != .redirect else { return }
        for (index, node) in (review.node["Hosts"]?.elements ?? []).enumerated() {
            guard let host = node.string, HostPattern(host) == nil else { continue }
            let isWildcard = host.hasPrefix("*.") && HostPattern(String(host.dropFirst())) != nil
            review.report(
                isWildcard ? .warning : .error, .malformedHost, at: "Hosts", index: index,
                isWildcard
                    ? "\"\(host)\" is not a host: the hosts below a domain are written with a dot before it, "
                        + "and *. may match none of them"
                    : "\"\(host)\" is not a host",
                remedy: isWildcard
                    ? String(host.dropFirst()) : "a host, or a domain with a dot before it")
        }
    }

    private static func checkDeniedApps(_ review: inout SSOReview) {
        var seen: Set<String> = []
        let nodes = review.node["DeniedBundleIdentifiers"]?.elements ?? []
        for (index, node) in nodes.enumerated() {
            guard let app = node.string else { continue }
            if !AppIdentifier.isBundle(app) {
                review.report(
                    .warning, .malformedIdentifier, at: "DeniedBundleIdentifiers", index: index,
                    "\"\(app)\" is not a bundle identifier, so it denies nothing")
            } else if !seen.insert(app).inserted {
                review.report(
                    .note, .duplicateEntry, at: "DeniedBundleIdentifiers", index: index,
                    "\"\(app)\" is here twice")
            }
        }
    }

    /// Checks the domains of a redirect extension, which requires their association. The check
    /// applies only if the profile contains domains, because apps may list them in their signature.
    private static func checkDomains(_ review: inout SSOReview) {
        guard review.configuration.type == .redirect, review.surroundings.containsDomains else {
            return
        }
        let entries = review.surroundings.apps.flatMap { $0.associatedDomains ?? [] }
            .compactMap { try? DomainEntry($0) }.filter { $0.service == .authsrv }
        for (index, node) in (review.node["URLs"]?.elements ?? []).enumerated() {
            guard let host = node.string.flatMap({ try? HTTPAddress($0) })?.origin.host,
                !entries.contains(where: { $0.covers(host) })
            else { continue }
            review.report(
                .warning, .missingDomain, at: "URLs", index: index,
                "no app of this profile is associated with \(host)",
                remedy: "authsrv:\(host) in AssociatedDomains")
        }
    }
}

extension HTTPAddress.ParseError {
    var reason: String {
        switch self {
        case .scheme: "does not begin with http:// or https://"
        case .userInformation: "has a username, which a prefix must not have"
        case .host: "has no valid host"
        case .port: "has a port that is not a number up to 65535"
        case .character: "has characters that are not allowed in a URL"
        }
    }
}
