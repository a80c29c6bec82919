// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Platform

/// Who is really asking: the peer, unless the peer is a listed proxy.
///
/// Forwarded fields from anyone else are ignored (RFC 9700 section 4.13). Whether the person's side is https
/// is not read from them: the issuer says it.
package struct TrustedProxies: Sendable {
    private let ranges: [NetworkRange]

    /// - Parameter ranges: addresses and networks of proxies.
    package init(_ ranges: [NetworkRange] = []) { self.ranges = ranges }

    /// The other end of a connection. The proxy list is searched once for all requests of the connection.
    struct Peer: Sendable {
        let address: String
        let isTrusted: Bool
    }

    /// - Parameter address: an IP address, or `nil` for a socket without one.
    func peer(_ address: String?) -> Peer {
        let address = address ?? "local"
        return Peer(address: address, isTrusted: isTrusted(address))
    }

    /// The address of the client.
    func client(of peer: Peer, headers: RequestHeaders) -> String {
        guard peer.isTrusted, let forwarded = headers[.forwardedFor] else { return peer.address }
        let hops = forwarded.split(separator: ",").map { String($0).trimmed() }
        // Starts at the last hop: the first one that is not a trusted proxy is the client.
        for hop in hops.reversed() where !isTrusted(hop) {
            return NetworkAddress(text: hop) == nil ? peer.address : hop
        }
        return peer.address
    }

    private static let forwarding: [HTTPField.Name] = [.forwardedFor, .forwardedProto, .forwarded]

    /// Whether the peer sends forwarding headers without being a trusted proxy.
    static func isIgnored(_ headers: RequestHeaders, of peer: Peer) -> Bool {
        !peer.isTrusted
            && forwarding.contains { headers.count(of: $0) > 0 }
    }

    func isTrusted(_ text: String) -> Bool {
        guard !ranges.isEmpty, let address = NetworkAddress(text: text)?.unmapped else {
            return false
        }
        return ranges.contains { $0.contains(address) }
    }
}
