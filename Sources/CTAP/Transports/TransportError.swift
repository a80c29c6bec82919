// SPDX-License-Identifier: Apache-2.0
import Platform

/// A message or its response could not be transferred.
package enum TransportError: Error, Sendable, Equatable {
    /// The authenticator was unplugged or removed from the reader, or the connection ended.
    case removed
    /// No response arrived before the time limit.
    case timedOut
    /// The caller gave up.
    case cancelled
    /// Another program holds the authenticator.
    case busy
    /// The system does not let this process open the device.
    case accessDenied
    /// The authenticator answers with an error of the transport (CTAP 2.2 section 11.2.9.1.6).
    case channel(CTAPStatus)
    /// The authenticator violated the protocol. The text describes the violation and contains none
    /// of its bytes.
    case protocolViolation(String)
    /// The message is longer than the transport can carry.
    case tooLong
    /// The transport was closed before.
    case closed
    /// A system call failed with this `errno`, or the card service with this code.
    case system(Int64)

    init(_ error: PlatformError) { self = .system(Int64(error.code.rawValue)) }
}
