// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Synchronization

/// The `Date` field (RFC 9110 section 5.6.7), written once a second.
package final class DateHeader: Sendable {
    private struct State {
        var second: Int64 = .min
        var text = ""
    }

    private let state = Mutex(State())

    package init() {}

    package func text(at now: Timestamp) -> String {
        state.withLock { state in
            if state.second != now.seconds {
                state.second = now.seconds
                state.text = Self.format(now.seconds)
            }
            return state.text
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func format(_ seconds: Int64) -> String {
        CivilTime(Timestamp(seconds: seconds)).internetText + " GMT"
    }
}
