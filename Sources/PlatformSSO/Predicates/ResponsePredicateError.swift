// SPDX-License-Identifier: Apache-2.0

/// An error of parsing a predicate. Offsets are in bytes.
package enum ResponsePredicateError: Error, Sendable, Equatable {
    case tooLong
    case tooDeep
    case unexpectedEnd
    case unexpected(offset: Int)
    case unterminatedString(offset: Int)
    case numberOutOfRange(offset: Int)
    /// An unsupported part of the predicate language: functions, `LIKE`, `MATCHES`, `BETWEEN`,
    /// aggregates, variables.
    case unsupported(String, offset: Int)
}
