// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The person's entitlements at this moment, as the provider has them, and the remaining expendable
/// amounts.
public struct CurrentEntitlements: Sendable, Hashable {
    /// The effective entitlements: the person's own, and those of the set.
    public let effective: Entitlements
    /// The remaining amount of each expendable entitlement.
    public let expendable: [String: Int64]
    /// The set that they have now; `nil` for none.
    public let set: String?
    /// The sequence that has chosen the set; `nil` for none.
    public let sequence: SequencePlace?

    /// The position of a person in sets that follow each other.
    public struct SequencePlace: Sendable, Hashable {
        /// The name in the project.
        public let name: String
        /// The time of the start, by the provider's clock.
        public let startedAt: Date
        /// The time at which the next set becomes effective, by the provider's clock; `nil` if
        /// there is none. Request the entitlements again then.
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

/// An amount of an expendable entitlement that was consumed.
public struct Consumption: Sendable, Hashable {
    /// Which.
    public let name: String
    /// The consumed amount.
    public let amount: Int64
    /// The amount that remained. A repetition with the same key returns the same value, whatever
    /// was consumed since.
    public let remaining: Int64
}
