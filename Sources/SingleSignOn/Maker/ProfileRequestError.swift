// SPDX-License-Identifier: Apache-2.0

/// The reason why a profile cannot be made.
package enum ProfileRequestError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not https, or with a query or fragment.
    case issuer(String)
    case app(String)
    /// The findings about the resulting profile.
    case findings([ProfileIssue])
    case unwritable(String)

    package var description: String {
        switch self {
        case .issuer(let issuer):
            "the issuer \(issuer) is not an https URL without query and fragment"
        case .app(let app): "\(app) is not a bundle identifier of an app"
        case .findings(let findings):
            findings.map { finding in
                let remedy = finding.remedy.isEmpty ? "" : "; \(finding.remedy)"
                return "\(finding.path): \(finding.problem)\(remedy)"
            }.joined(separator: "\n")
        case .unwritable(let reason): reason
        }
    }
}
