// SPDX-License-Identifier: Apache-2.0
import CPublicSuffix

/// The list of domains under which independent parties register domains
/// (https://publicsuffix.org/list/).
///
/// The list is part of the program, so it is as old as the program. The public suffix of an
/// unlisted name is its last label.
package struct PublicSuffixList: Sendable {
    private let rules: Set<Substring>

    /// The vendored list, read once, from the text that is part of the program (decision 0022).
    package static let vendored = PublicSuffixList(
        rules: String(cString: public_suffix_rules()).split(separator: "\n")
            .drop { $0.hasPrefix("//") })

    /// - Parameter rules: Names as in DNS, `*.` for any label, `!` for an exception.
    package init(rules: some Sequence<Substring>) { self.rules = Set(rules) }

    /// The public suffix of a domain name in lower-case ASCII form.
    package func publicSuffix(of domain: String) -> Substring {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last else { return "" }
        // From the longest candidate to the shortest: the first matching rule applies, and an
        // exception has precedence over other rules of the same candidate.
        for (index, label) in labels.enumerated() {
            let candidate = domain[label.startIndex...]
            if rules.contains("!" + candidate), index + 1 < labels.count {
                return domain[labels[index + 1].startIndex...]
            }
            if rules.contains(candidate) { return candidate }
            if index + 1 < labels.count,
                rules.contains("*." + domain[labels[index + 1].startIndex...])
            {
                return candidate
            }
        }
        return last
    }

    /// The label before the public suffix, which names a site wherever it is: `example` for
    /// `login.example.co.uk`. `nil` for an address, and for what is a public suffix itself.
    package func registrableLabel(of domain: String) -> Substring? {
        guard domain.last != "]", domain.utf8.last.map({ !(0x30...0x39).contains($0) }) ?? false
        else { return nil }
        let owned = domain.dropLast(publicSuffix(of: domain).count)
        guard owned.last == "." else { return nil }
        let label = owned.dropLast().split(separator: ".", omittingEmptySubsequences: false).last
        return label.flatMap { $0.isEmpty ? nil : $0 }
    }

    package func isPublicSuffix(_ domain: String) -> Bool {
        publicSuffix(of: domain) == domain[...]
    }
}
