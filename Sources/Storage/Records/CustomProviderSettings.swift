// SPDX-License-Identifier: Apache-2.0

/// An identity provider of the operator's own: a service that knows people, and is asked who
/// somebody is (docs/identity-providers.md).
package struct CustomProviderSettings: Sendable, Equatable, Codable {
    /// What apps name it by; never changed, for people are known under it.
    package var id = ""
    /// For people.
    package var name = ""
    package var enabled = true
    /// Where its requests go: `https`, or `http` to this machine.
    package var url = ""
    /// Whether it is asked to start before it is asked to complete.
    package var twoStep = false
    /// What of its answer is kept with a person.
    package var attributes: [String] = []
    /// How often one registration may ask it.
    package var attempts: Int64 = 5
    /// Seconds from the start to the end of a registration in two steps.
    package var expiresIn: Int64 = 600
    /// Seconds that it may take to answer.
    package var timeout: Int64 = 10

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.id, &id)
        try read(.name, &name)
        try read(.enabled, &enabled)
        try read(.url, &url)
        try read(.twoStep, &twoStep)
        try read(.attributes, &attributes)
        try read(.attempts, &attempts)
        try read(.expiresIn, &expiresIn)
        try read(.timeout, &timeout)
    }
}
