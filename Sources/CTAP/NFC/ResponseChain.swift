// SPDX-License-Identifier: Apache-2.0

/// Hands out a long response in portions, on the card's side: 61xx, then `GET RESPONSE`.
package struct ResponseChain: Sendable {
    private var rest: ArraySlice<UInt8> = []
    /// The status word of the whole response, until that was handed out.
    private var final: StatusWord?

    package init() {}

    /// Returns the first portion of a response and stores the rest.
    package mutating func begin(_ response: ResponseAPDU, expected: Int?) -> ResponseAPDU {
        rest = response.data[...]
        final = response.status
        return next(expected: expected)
    }

    /// The next portion, for `GET RESPONSE`; 6985 when there is none.
    package mutating func next(expected: Int?) -> ResponseAPDU {
        guard let status = final else { return ResponseAPDU(status: .conditionsNotSatisfied) }
        let portion = Array(rest.prefix(max(1, expected ?? 256)))
        rest = rest.dropFirst(portion.count)
        guard rest.isEmpty else {
            return ResponseAPDU(data: portion, status: .remaining(rest.count))
        }
        final = nil
        return ResponseAPDU(data: portion, status: status)
    }
}
