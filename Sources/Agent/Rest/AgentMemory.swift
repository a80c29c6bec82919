// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// What the agent keeps in memory alone, for a rest: it goes through a pipe, which is memory as well, and
/// never lies on the disk.
package struct AgentMemory: Sendable, Equatable {
    /// As much as a pipe surely holds.
    package static let greatestSize = 65_536

    var failures: [String: Timestamp]
    var lent: [String: [KeptAgreement]]
    /// What the running clock said when the record was saved: the time since then counts, whatever
    /// happens to the wall clock.
    var savedAt: Duration
    var rotationFailedAt: Timestamp?

    package var json: JSONObject {
        let time = JSONValue.integer(Int64(savedAt / .milliseconds(1)))
        var object = JSONObject([.init(name: "saved_at", value: time)])
        object["rotation_failed_at"] = rotationFailedAt.map { .integer($0.milliseconds) }
        object["failures"] = .object(
            JSONObject(
                failures.sorted { $0.key < $1.key }
                    .map { .init(name: $0.key, value: .integer($0.value.milliseconds)) }))
        object["lent"] = .object(
            JSONObject(
                lent.sorted { $0.key < $1.key }
                    .map { .init(name: $0.key, value: .array($0.value.map(\.json))) }))
        return object
    }

    /// `nil` when it is none: the agent then begins as after any other end.
    package init?(_ object: JSONObject) {
        guard let savedAt = object["saved_at"]?.integer, let failures = object["failures"]?.object,
            let lent = object["lent"]?.object
        else { return nil }
        self.init(failures: [:], lent: [:], savedAt: .milliseconds(savedAt))
        rotationFailedAt = object["rotation_failed_at"]?.integer
            .map { Timestamp(milliseconds: $0) }
        for member in failures.members {
            guard let time = member.value.integer else { return nil }
            self.failures[member.name] = Timestamp(milliseconds: time)
        }
        for member in lent.members {
            self.lent[member.name] = (member.value.array ?? []).compactMap { KeptAgreement($0) }
        }
    }

    init(
        failures: [String: Timestamp], lent: [String: [KeptAgreement]], savedAt: Duration,
        rotationFailedAt: Timestamp? = nil
    ) {
        self.failures = failures
        self.lent = lent
        self.savedAt = savedAt
        self.rotationFailedAt = rotationFailedAt
    }
}
