// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why a server was not reached.
package enum ConnectionFailure {
    /// Whether there was nobody at that address, so that no question can have been heard.
    package static func wasNeverConnected(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError: true
        case let error as IOError:
            [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL].contains(error.errnoCode)
        case let error as HTTPClientError: error == .connectTimeout
        case let error as ChannelError:
            if case .connectTimeout = error { true } else { false }
        default: false
        }
    }

    /// In words for a person.
    static func words(for error: any Error) -> String {
        guard let failure = error as? NIOConnectionError else { return "\(error)" }
        if failure.connectionErrors.isEmpty, failure.dnsAError ?? failure.dnsAAAAError != nil {
            return "no address is known of \(failure.host)"
        }
        // An address of each family is tried; what the last one said is as good as the others'.
        guard let error = failure.connectionErrors.last?.error as? IOError else {
            return "\(error)"
        }
        return String(cString: strerror(error.errnoCode))
    }
}
