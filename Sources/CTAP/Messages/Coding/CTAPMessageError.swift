// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// A defect of a CTAP2 message. Members have the names of the specification.
package enum CTAPMessageError: Error, Sendable, Equatable {
    /// The message has no command byte.
    case empty
    /// A command byte that is not in CTAP 2.2 section 6.
    case unknownCommand(UInt8)
    /// Not canonical CBOR (CTAP 2.2 section 8), or bytes after it.
    case cbor(CBORError)
    /// Parameters for a command that has none.
    case unexpectedParameters
    case missing(String)
    case unexpectedType(String)
    /// The member has the correct type, but an invalid length or value.
    case outOfRange(String)
    /// A subcommand that this version of the specification does not have.
    case unknownSubcommand(UInt64)
}
