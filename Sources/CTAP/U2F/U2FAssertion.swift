// SPDX-License-Identifier: Apache-2.0

/// The response to U2F_AUTHENTICATE (U2F raw message formats v1.2 section 5.4).
package struct U2FAssertion: Sendable, Equatable {
    /// Bit 0: a person was present.
    package var userPresence: UInt8
    package var counter: UInt32
    /// ECDSA over application parameter, presence, counter and challenge parameter; DER.
    package var signature: [UInt8]

    package init(userPresence: UInt8, counter: UInt32, signature: [UInt8]) {
        self.userPresence = userPresence
        self.counter = counter
        self.signature = signature
    }

    package var counterBytes: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
    }

    package var bytes: [UInt8] { [userPresence] + counterBytes + signature }

    /// Reads a response without its status word; `nil` when it is none.
    package init?(_ bytes: [UInt8]) {
        guard 6...85 ~= bytes.count else { return nil }
        userPresence = bytes[0]
        counter = bytes[1...4].reduce(0) { $0 << 8 | UInt32($1) }
        signature = Array(bytes[5...])
    }
}
