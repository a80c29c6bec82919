// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// Why bytes are not the CTAP2 message that they should be. Members are named as the
/// specification names them.
package enum CTAPMessageError: Error, Sendable, Equatable {
    /// Nothing at all, where a command byte must stand.
    case empty
    /// A command byte that is not in CTAP 2.2 section 6.
    case unknownCommand(UInt8)
    /// Not canonical CBOR (CTAP 2.2 section 8), or bytes after it.
    case cbor(CBORError)
    /// Parameters for a command that has none.
    case unexpectedParameters
    case missing(String)
    case unexpectedType(String)
    /// Of the right type, but of a length or value that the specification rules out.
    case outOfRange(String)
    /// A subcommand that this version of the specification does not have.
    case unknownSubcommand(UInt64)
}
