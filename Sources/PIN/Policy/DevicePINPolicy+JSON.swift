// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The JSON form of the policy for devices and administrators.
extension DevicePINPolicy {
    package var json: JSONValue {
        [
            "length": .integer(Int64(length)), "maximum_repeats": .integer(Int64(maximumRepeats)),
            "allows_sequences": .bool(allowsSequences),
            "blocked": .array(blocked.sorted().map(JSONValue.string)),
        ]
    }

    /// Returns `nil` if a member is missing, is of another type, or results in an invalid policy.
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
