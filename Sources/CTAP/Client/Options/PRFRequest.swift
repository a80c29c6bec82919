// SPDX-License-Identifier: Apache-2.0

/// The `prf` extension's inputs (WebAuthn section 10.1.4).
package struct PRFRequest: Sendable, Equatable {
    /// One or two inputs of any length.
    package struct Values: Sendable, Equatable {
        package var first: [UInt8]
        package var second: [UInt8]?

        package init(first: [UInt8], second: [UInt8]? = nil) {
            self.first = first
            self.second = second
        }
    }

    package var eval: Values?
    /// By credential id; only in an assertion.
    package var evalByCredential: [[UInt8]: Values]
    /// Whether the secret requires user verification. Web pages receive only that one (WebAuthn
    /// section 10.1.4); keys have another secret for presence alone (CTAP 2.2 section 12.7).
    package var needsVerification = true

    package init(eval: Values? = nil, evalByCredential: [[UInt8]: Values] = [:]) {
        self.eval = eval
        self.evalByCredential = evalByCredential
    }
}
