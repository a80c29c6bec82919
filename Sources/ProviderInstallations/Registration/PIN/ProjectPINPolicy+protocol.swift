// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PIN
package import Storage

extension ProjectPINPolicy {
    package enum Use: String, CaseIterable { case off, optional, required }

    /// The stored value is valid. Any other value offers no PINs.
    package var offered: Use { Use(rawValue: use) ?? .off }

    package var limit: PINAttemptLimit {
        Int(exactly: attempts).flatMap(PINAttemptLimit.init) ?? .standard
    }

    package func policy() throws(DevicePINPolicy.ValidationIssue) -> DevicePINPolicy {
        try DevicePINPolicy(
            length: Int(clamping: length), maximumRepeats: Int(clamping: maximumRepeats),
            allowsSequences: allowsSequences, blocked: Set(blocked))
    }

    /// The PIN policy for devices; `nil` if PINs are not offered.
    package var devicePolicy: JSONObject? {
        guard offered != .off, let policy = try? policy() else { return nil }
        return JSONObject([
            .init(name: "use", value: .string(use)),
            .init(name: "policy", value: policy.json),
            .init(name: "attempts", value: .integer(Int64(limit.count))),
        ])
    }
}
