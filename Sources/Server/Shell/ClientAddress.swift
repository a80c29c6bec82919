// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore

/// Who is really asking: the peer, unless the peer is a listed proxy.
///
/// Forwarded fields from anyone else are ignored (RFC 9700 section 4.13).
package struct TrustedProxies: Sendable {
    private let addresses: Set<String>

    /// - Parameter addresses: textual IP addresses, as the system prints them.
    package init(_ addresses: some Sequence<String> = []) { self.addresses = Set(addresses) }

    func client(
        peer: String, headers: RequestHeaders, isTLS: Bool
    ) -> (address: String, isSecure: Bool) {
        guard !addresses.isEmpty, addresses.contains(peer) else { return (peer, isTLS) }
        let isSecure = isTLS || headers[.forwardedProto]?.lowercased() == "https"
        guard let forwarded = headers[.forwardedFor] else { return (peer, isSecure) }
        let hops = forwarded.split(separator: ",").map { String($0).trimmed() }
        // From the near end: the first hop that is not one of ours is the client.
        for hop in hops.reversed() where !addresses.contains(hop) {
            guard (try? SocketAddress(ipAddress: hop, port: 0)) != nil else { break }
            return (hop, isSecure)
        }
        return (peer, isSecure)
    }
}
