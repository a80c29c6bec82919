// SPDX-License-Identifier: Apache-2.0

/// The user verification of one operation.
enum PerformedUserVerification {
    case none
    case byToken
    /// Built-in verification, which includes a touch.
    case builtIn

    var isVerified: Bool { self != .none }
}
