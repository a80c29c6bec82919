// SPDX-License-Identifier: Apache-2.0

/// A rule between keys: a function that validates one payload and returns findings.
struct ConfigurationRule: Sendable {
    /// The subject of the rule.
    let name: String
    let check: @Sendable (inout SSOReview) -> Void

    init(_ name: String, _ check: @escaping @Sendable (inout SSOReview) -> Void) {
        self.name = name
        self.check = check
    }

    /// All rules, in the order of their findings.
    static let all = ofExtensions + ofPlatformSSO + ofPolicies + ofKerberos
}
