// SPDX-License-Identifier: Apache-2.0

/// The rules across payloads: a URL belongs to one of them, and Platform SSO is configured once.
enum UniqueAddresses {
    static func findings(in reviews: [SSOReview]) -> [ProfileIssue] {
        var reviews = reviews.map { Reviewed($0) }
        checkURLs(&reviews)
        checkHosts(&reviews)
        checkSingle(&reviews)
        return reviews.flatMap { $0.review.findings.dropFirst($0.known) }
    }

    /// A review, and the number of its earlier findings.
    private struct Reviewed {
        var review: SSOReview
        let known: Int

        init(_ review: SSOReview) {
            self.review = review
            known = review.findings.count
        }
    }

    private static func checkURLs(_ reviews: inout [Reviewed]) {
        var seen: [HTTPAddress: String] = [:]
        for index in reviews.indices where reviews[index].review.configuration.type != .credential {
            let nodes = reviews[index].review.node["URLs"]?.elements ?? []
            for (place, node) in nodes.enumerated() {
                guard let text = node.string, let address = try? HTTPAddress(text) else { continue }
                let path = "\(reviews[index].review.path).URLs[\(place)]"
                guard let other = seen.updateValue(path, forKey: address) else { continue }
                reviews[index].review.report(
                    .error, .duplicateURL, at: "URLs", index: place,
                    "\"\(text)\" is the same address as \(other)")
            }
        }
    }

    private static func checkHosts(_ reviews: inout [Reviewed]) {
        var seen: [HostPattern: String] = [:]
        for index in reviews.indices where reviews[index].review.configuration.type != .redirect {
            let nodes = reviews[index].review.node["Hosts"]?.elements ?? []
            for (place, node) in nodes.enumerated() {
                guard let text = node.string, let pattern = HostPattern(text) else { continue }
                let path = "\(reviews[index].review.path).Hosts[\(place)]"
                guard let other = seen.updateValue(path, forKey: pattern) else { continue }
                reviews[index].review.report(
                    .error, .duplicateHost, at: "Hosts", index: place,
                    "\"\(text)\" is the same host as \(other)")
            }
        }
    }

    private static func checkSingle(_ reviews: inout [Reviewed]) {
        let platform = reviews.indices.filter { reviews[$0].review.configuration.isPlatformSSO }
        for index in platform.dropFirst() {
            reviews[index].review.report(
                .error, .severalPlatformSSO, at: "PlatformSSO",
                "another payload configures Platform SSO already")
        }
        let defaults = reviews.indices.filter {
            reviews[$0].review.configuration.kerberos?.isDefaultRealm == true
        }
        for index in defaults.dropFirst() {
            reviews[index].review.report(
                .warning, .severalDefaultRealms, at: "ExtensionData.isDefaultRealm",
                "another payload has the default realm already")
        }
    }
}
