// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// What `gatehouse inspect` says about one input: accepted with a value, or refused with a stable
/// code and a reason in words.
package enum Verdict: Sendable, Equatable {
    case accepted(JSONValue)
    case refused(code: String, reason: String)

    /// The input object itself is not what the command reads.
    package static func badInput(_ reason: String) -> Verdict {
        .refused(code: badInputCode, reason: reason)
    }

    package static let badInputCode = "bad_input"

    /// `{"verdict","code","reason","value"}`; `code` of an accepted input is `ok`.
    package var json: JSONValue {
        switch self {
        case .accepted(let value):
            ["verdict": "accepted", "code": "ok", "reason": "", "value": value]
        case .refused(let code, let reason):
            [
                "verdict": "refused", "code": .string(code), "reason": .string(reason),
                "value": [:],
            ]
        }
    }
}
