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
    package static func words(for error: any Error) -> String {
        switch error {
        case let failure as NIOConnectionError: words(for: failure)
        // Where the host is an address, there is one try and no list of them.
        case let failure as IOError: words(for: failure)
        case let failure as HTTPClientError: words(for: failure)
        // Of an address, for which no name was looked up.
        case let failure as IOError: String(cString: strerror(failure.errnoCode))
        case is WebClient.TooSlow: slow
        case is WebClient.TooLong: "the answer is too long"
        default: "\(error)"
        }
    }

    private static let slow = "no answer in time"

    private static func words(for failure: HTTPClientError) -> String {
        switch failure {
        case .remoteConnectionClosed: "the connection was closed before an answer"
        case .connectTimeout, .readTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout: slow
        default: "\(failure)"
        }
    }

    private static func words(for failure: NIOConnectionError) -> String {
        if failure.connectionErrors.isEmpty, failure.dnsAError ?? failure.dnsAAAAError != nil {
            return "no address is known of \(failure.host)"
        }
        // An address of each family is tried; what the last one said is as good as the others'.
        guard let error = failure.connectionErrors.last?.error as? IOError else {
            return "\(failure)"
        }
        return words(for: error)
    }

    private static func words(for failure: IOError) -> String {
        String(cString: strerror(failure.errnoCode))
    }
}
