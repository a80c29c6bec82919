// SPDX-License-Identifier: Apache-2.0

/// A project's rules for app installations. Stored as JSON.
package struct RegistrationPolicy: Sendable, Equatable, Codable {
    /// The registration methods that are offered, by name. The usual two let in nobody before an
    /// administrator has registered or made a key for them.
    package var methods = ["signedJWT", "testKey"]
    /// Whether test keys are accepted in a production environment.
    package var testKeysInProduction = false
    /// Whether people of other identity providers may close their account here by themselves.
    package var federatedDeregistration = false

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.methods, &methods)
        try read(.testKeysInProduction, &testKeysInProduction)
        try read(.federatedDeregistration, &federatedDeregistration)
    }
}
