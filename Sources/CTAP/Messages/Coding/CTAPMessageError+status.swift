// SPDX-License-Identifier: Apache-2.0

extension CTAPMessageError {
    /// The status with which a key responds to a request that it cannot parse.
    var status: CTAPStatus {
        switch self {
        case .empty: .invalidLength
        case .unknownCommand: .invalidCommand
        case .cbor: .invalidCBOR
        case .unexpectedParameters: .invalidLength
        case .missing: .missingParameter
        case .unexpectedType: .cborUnexpectedType
        case .outOfRange: .invalidParameter
        case .unknownSubcommand: .invalidSubcommand
        }
    }
}
