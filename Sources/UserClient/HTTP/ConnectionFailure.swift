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

/// Why a server was not reached, in words for a person.
package enum ConnectionFailure {
    package static func words(for error: any Error) -> String {
        switch error {
        case let failure as NIOConnectionError: words(for: failure)
        case let failure as HTTPClientError: words(for: failure)
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
        return String(cString: strerror(error.errnoCode))
    }
}
