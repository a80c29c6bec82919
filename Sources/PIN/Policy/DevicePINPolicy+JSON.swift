// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The policy as the server hands it out and an administrator writes it.
extension DevicePINPolicy {
    package var json: JSONValue {
        [
            "length": .integer(Int64(length)), "maximum_repeats": .integer(Int64(maximumRepeats)),
            "allows_sequences": .bool(allowsSequences),
            "blocked": .array(blocked.sorted().map(JSONValue.string)),
        ]
    }

    /// `nil` when a member is missing, is of another kind, or makes a policy that cannot be.
    package init?(_ value: JSONValue) {
        guard let length = value["length"]?.integer.flatMap(Int.init(exactly:)),
            let repeats = value["maximum_repeats"]?.integer.flatMap(Int.init(exactly:)),
            let allowsSequences = value["allows_sequences"]?.bool,
            let blocked = value["blocked"]?.strings,
            let policy = try? DevicePINPolicy(
                length: length, maximumRepeats: repeats, allowsSequences: allowsSequences,
                blocked: Set(blocked))
        else { return nil }
        self = policy
    }
}
