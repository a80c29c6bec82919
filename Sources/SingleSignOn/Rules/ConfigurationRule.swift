// SPDX-License-Identifier: Apache-2.0

/// A rule between keys. Each is a function that looks at one payload and says what it finds.
struct ConfigurationRule: Sendable {
    /// What it sees to.
    let name: String
    let check: @Sendable (inout SSOReview) -> Void

    init(_ name: String, _ check: @escaping @Sendable (inout SSOReview) -> Void) {
        self.name = name
        self.check = check
    }

    /// All rules, in the order of their findings.
    static let all = ofExtensions + ofPlatformSSO + ofPolicies + ofKerberos
}
