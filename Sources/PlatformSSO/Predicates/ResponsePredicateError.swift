// SPDX-License-Identifier: Apache-2.0

/// Why text is not a predicate that is understood here. Offsets are in bytes.
package enum ResponsePredicateError: Error, Sendable, Equatable {
    case tooLong
    case tooDeep
    case unexpectedEnd
    case unexpected(offset: Int)
    case unterminatedString(offset: Int)
    case numberOutOfRange(offset: Int)
    /// A part of the predicate language that is left out here: functions, `LIKE`, `MATCHES`,
    /// `BETWEEN`, aggregates, variables.
    case unsupported(String, offset: Int)
}
