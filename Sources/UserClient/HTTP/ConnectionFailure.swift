// SPDX-License-Identifier: Apache-2.0
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
enum ConnectionFailure {
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
