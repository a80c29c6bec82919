// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import Platform

/// The reason why a server gave no response.
package enum ConnectionError {
    package enum Kind: Sendable {
        /// The server did not respond in time.
        case tooSlow
        /// The response is longer than the caller's limit.
        case tooLong
        /// There is no connection, the certificate is not trusted, or the connection was lost.
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

    private static let unconnected: [Errno] = [
        .connectionRefused, .networkUnreachable, .hostUnreachable, .addressNotAvailable,
    ]

    /// Whether no connection was made, so that no server received the request.
    package static func wasNeverConnected(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError: true
        case let error as IOError:
            unconnected.contains(Errno(rawValue: error.errnoCode))
        case let error as HTTPClientError: error == .connectTimeout
        case let error as ChannelError:
            if case .connectTimeout = error { true } else { false }
        default: false
        }
    }

    /// Whether the server's certificate is not trusted: its authority is unknown or not pinned, its
    /// name differs, or it is expired. No request was sent.
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

    /// Whether an error of Apple's network stack, which sends HTTP there, is about trust.
    private static func isOfTrustToSystem(_ error: any Error) -> Bool {
        #if canImport(Network)
            if let failure = error as? HTTPClient.NWTLSError {
                return isOfTrust(secureTransport: failure.status)
            }
        #endif
        return false
    }

    /// Whether a status of `<Security/SecureTransport.h>` is about trust: the chain, its form, its
    /// root, the lack of one, its expiry, its start, its name.
    package static func isOfTrust(secureTransport status: Int32) -> Bool {
        [-9807, -9808, -9812, -9813, -9814, -9815, -9843].contains(status)
    }

    /// The setting with which the caller trusts an authority.
    package enum TrustAdvice: String, Sendable {
        /// A command with the option `--ca`.
        case option = "name the authority's certificate with --ca FILE"
        /// A process with the system's trust anchors.
        case system = "add the authority's certificate to those that the system trusts"
        /// An app that uses the SDK.
        case pinned = "name the authority in pinnedCertificates"
    }

    /// Returns a sentence for a person.
    package static func words(
        for error: any Error, advice: TrustAdvice = .option
    ) -> String {
        switch kind(of: error) {
        case .tooSlow: "no response in time"
        case .tooLong: "the response is too long"
        case .unreachable: unreachable(error, advice)
        }
    }

    private static func unreachable(_ error: any Error, _ advice: TrustAdvice) -> String {
        switch error {
        case let failure as NIOConnectionError: words(for: failure)
        // If the host is an IP address, there is one attempt and no list of errors.
        case let failure as IOError: words(for: failure)
        case let failure as HTTPClientError where failure == .remoteConnectionClosed:
            "the connection was closed before the response"
        case let failure as HTTPClientError where failure == .proxyAuthenticationRequired:
            "the proxy requires authentication"
        case let failure as HTTPClientError where failure == .invalidProxyResponse:
            "the proxy refused the connection"
        case _ where isOfName(error): "its certificate is for another host name"
        case _ where isOfTrust(error):
            "its certificate is not trusted: it has expired, or its authority is unknown; "
                + advice.rawValue
        case let failure as NIOSSLError:
            "no TLS connection (\(TLSReason.words(in: "\(failure)")))"
        default: "\(error)"
        }
    }

    private static func words(for failure: NIOConnectionError) -> String {
        if failure.connectionErrors.isEmpty, failure.dnsAError ?? failure.dnsAAAAError != nil {
            return "no IP address found for \(failure.host)"
        }
        // An address of each family is tried; the errors are equivalent, so the last one is used.
        guard let error = failure.connectionErrors.last?.error as? IOError else {
            return "\(failure)"
        }
        return words(for: error)
    }

    private static func words(for failure: IOError) -> String {
        "\(Errno(rawValue: failure.errnoCode))"
    }
}
