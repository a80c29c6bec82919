// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why a server gave no answer.
package enum ConnectionError {
    package enum Kind: Sendable {
        /// Not in time, whatever it waited for.
        case tooSlow
        /// The answer is longer than whoever asked will read.
        case tooLong
        /// No connection, no trust in the certificate, or broken off.
        case unreachable
    }

    package static func kind(of error: any Error) -> Kind {
        switch error {
        case is WebClient.TooSlow: .tooSlow
        case is WebClient.TooLong: .tooLong
        case let failure as HTTPClientError where slowOnes.contains(failure): .tooSlow
        case let failure as ChannelError:
            if case .connectTimeout = failure { .tooSlow } else { .unreachable }
        default: .unreachable
        }
    }

    private static let slowOnes: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
        .httpProxyHandshakeTimeout, .tlsHandshakeTimeout,
    ]

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

    /// Whether somebody answered whose certificate is not to be trusted: by an authority that is not
    /// known or not among those pinned, of another name, or over. Nothing was sent to them.
    package static func isOfTrust(_ error: any Error) -> Bool {
        switch error {
        case NIOSSLError.unableToValidateCertificate: true
        case NIOSSLError.handshakeFailed(let failure):
            "\(failure)".contains("CERTIFICATE_VERIFY_FAILED")
        case let failure as NIOSSLExtraError: failure == .failedToValidateHostname
        default: isOfTrustToSystem(error)
        }
    }

    private static func isOfName(_ error: any Error) -> Bool {
        (error as? NIOSSLExtraError) == .failedToValidateHostname
    }

    /// The same of Apple's own network stack, on which HTTP runs there by itself.
    private static func isOfTrustToSystem(_ error: any Error) -> Bool {
        #if canImport(Network)
            if let failure = error as? HTTPClient.NWTLSError {
                return isOfTrust(secureTransport: failure.status)
            }
        #endif
        return false
    }

    /// By Apple's number for it (`<Security/SecureTransport.h>`): of the chain, its form, its root,
    /// the lack of one, its end, its beginning, its name.
    package static func isOfTrust(secureTransport status: Int32) -> Bool {
        [-9807, -9808, -9812, -9813, -9814, -9815, -9843].contains(status)
    }

    /// How the caller names an authority that it is to trust.
    package enum TrustAdvice: String, Sendable {
        /// A command with the option `--ca`.
        case option = "name the authority's certificate with --ca FILE"
        /// A process that trusts what the system trusts.
        case system = "add the authority's certificate to those that the system trusts"
        /// An app that uses the SDK.
        case pinned = "name the authority in pinnedCertificates"
    }

    /// In words for a person.
    package static func words(
        for error: any Error, advice: TrustAdvice = .option
    ) -> String {
        switch kind(of: error) {
        case .tooSlow: "no answer in time"
        case .tooLong: "the answer is too long"
        case .unreachable: unreachable(error, advice)
        }
    }

    private static func unreachable(_ error: any Error, _ advice: TrustAdvice) -> String {
        switch error {
        case let failure as NIOConnectionError: words(for: failure)
        // Where the host is an address, there is one try and no list of them.
        case let failure as IOError: words(for: failure)
        case let failure as HTTPClientError where failure == .remoteConnectionClosed:
            "the connection was closed before an answer"
        case let failure as HTTPClientError where failure == .proxyAuthenticationRequired:
            "the proxy asks who it is, and is not told"
        case let failure as HTTPClientError where failure == .invalidProxyResponse:
            "the proxy lets nobody through"
        case _ where isOfName(error): "its certificate is for another host name"
        case _ where isOfTrust(error):
            "its certificate is not trusted: it has expired, or its authority is not known here; "
                + advice.rawValue
        case let failure as NIOSSLError:
            "no TLS connection (\(TLSReason.words(in: "\(failure)")))"
        default: "\(error)"
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
