// SPDX-License-Identifier: Apache-2.0

/// The reason why a profile cannot be inspected: it cannot be read.
package struct ProfileParseError: Error, Sendable, Equatable {
    /// A stable identifier.
    package let code: String
    package let reason: String
    package let place: PropertyListDocument.Position?

    init(code: String, reason: String, place: PropertyListDocument.Position? = nil) {
        self.code = code
        self.reason = reason
        self.place = place
    }

    init(_ error: PropertyListError, in bytes: [UInt8]) {
        self.init(
            code: error.code.rawValue, reason: error.reason,
            place: PropertyListDocument.place(of: error, in: bytes))
    }

    init(_ error: SignedProfileError) { self.init(code: error.rawValue, reason: error.reason) }
}
