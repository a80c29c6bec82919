// SPDX-License-Identifier: Apache-2.0

/// An error with a stable code for scripts and tests, and a reason for the log.
///
/// Equality compares the code only.
package protocol CodedError: Error, Equatable, CustomStringConvertible {
    associatedtype Code: RawRepresentable<String>, Equatable

    var code: Code { get }
    var reason: String { get }
}

extension CodedError {
    /// `code: reason`.
    package var description: String { "\(code.rawValue): \(reason)" }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
