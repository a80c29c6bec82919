// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What somebody may do now, by the provider's word of this moment, and what is left of what is
/// used up.
public struct CurrentEntitlements: Sendable, Hashable {
    /// What counts: what is theirs alone, and under it their set.
    public let effective: Entitlements
    /// What is left of each that they were ever given and that using takes from.
    public let expendable: [String: Int64]
    /// The set that they have now; `nil` for none.
    public let set: String?
    /// The sequence that has chosen the set; `nil` for none.
    public let sequence: SequencePlace?

    /// Where somebody is in sets that they have one after the other.
    public struct SequencePlace: Sendable, Hashable {
        /// As the project calls it.
        public let name: String
        /// When they began it, by the provider's clock.
        public let startedAt: Date
        /// When the next set takes the place of this one, by the provider's clock; `nil` when none
        /// will. Ask again then.
        public let changesAt: Date?
    }

    static let scope = "entitlements"

    /// `nil` for what is not an answer of `/entitlements`.
    init?(_ answer: JSONObject) {
        guard let effective = answer["effective"]?.object,
            let left = answer["expendable"]?.object
        else { return nil }
        var amounts: [String: Int64] = [:]
        for member in left.members {
            guard let amount = member.value.integer else { return nil }
            amounts[member.name] = amount
        }
        if let place = answer["sequence"] {
            guard let sequence = SequencePlace(place) else { return nil }
            self.sequence = sequence
        } else {
            sequence = nil
        }
        self.effective = Entitlements(effective)
        expendable = amounts
        set = answer["set"]?.string
    }
}

extension CurrentEntitlements.SequencePlace {
    fileprivate init?(_ place: JSONValue) {
        func date(_ name: String) -> Date? {
            place[name]?.string.flatMap { Timestamp(rfc3339: $0) }?.date
        }
        guard let name = place["name"]?.string, let startedAt = date("started_at") else {
            return nil
        }
        self.name = name
        self.startedAt = startedAt
        changesAt = date("changes_at")
    }
}

/// Some of an entitlement that was used up.
public struct Consumption: Sendable, Hashable {
    /// Which.
    public let name: String
    /// How much of it.
    public let amount: Int64
    /// What was left then. Doing it again with the same key says the same, whatever was used since.
    public let remaining: Int64
}
