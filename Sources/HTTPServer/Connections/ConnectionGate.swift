// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Platform
import Synchronization

/// How many connections a listener holds at once, in total and of one address.
package struct ConnectionLimits: Sendable, Equatable {
    package var total: Int
    /// The maximum for one IPv4 address or one IPv6 /64 network. Connections of trusted proxies are
    /// not counted, because they carry requests of many clients.
    package var perAddress: Int
    /// The maximum time for the head of a request, with the TLS handshake.
    package var headSeconds: Int64

    package init(total: Int = 10_000, perAddress: Int = 1000, headSeconds: Int64 = 10) {
        self.total = total
        self.perAddress = perAddress
        self.headSeconds = headSeconds
    }
}

/// Counts the connections of a listener and enforces its limits.
final class ConnectionGate: Sendable {
    private struct Counts {
        var total = 0
        var ofNetwork: [NetworkRange: Int] = [:]
        var maximumOpen = 0
        var admitted = 0
        var refused = 0
    }

    let limits: ConnectionLimits
    private let proxies: TrustedProxies
    private let counts = Mutex(Counts())

    init(_ limits: ConnectionLimits, proxies: TrustedProxies) {
        self.limits = limits
        self.proxies = proxies
    }

    var open: Int { counts.withLock(\.total) }
    /// As many as there were at once.
    var maximumOpen: Int { counts.withLock(\.maximumOpen) }
    var admitted: Int { counts.withLock(\.admitted) }
    var refused: Int { counts.withLock(\.refused) }

    /// Admits the connection if the limits permit it. It is counted until it closes.
    func admit(_ channel: any Channel) -> Bool {
        let network = network(of: channel.remoteAddress?.ipAddress)
        guard reserve(network) else { return false }
        channel.closeFuture.whenComplete { [self] _ in leave(network) }
        return true
    }

    private func reserve(_ network: NetworkRange?) -> Bool {
        counts.withLock { counts in
            let own = network.map { counts.ofNetwork[$0, default: 0] } ?? 0
            guard counts.total < limits.total, own < limits.perAddress else {
                counts.refused += 1
                return false
            }
            counts.total += 1
            counts.admitted += 1
            counts.maximumOpen = max(counts.maximumOpen, counts.total)
            if let network { counts.ofNetwork[network] = own + 1 }
            return true
        }
    }

    private func leave(_ network: NetworkRange?) {
        counts.withLock { counts in
            counts.total -= 1
            guard let network, let own = counts.ofNetwork[network] else { return }
            counts.ofNetwork[network] = own > 1 ? own - 1 : nil
        }
    }

    /// Returns the network whose connections are counted, or `nil` for trusted proxies and peers
    /// without an IP address.
    private func network(of peer: String?) -> NetworkRange? {
        guard let peer, !proxies.isTrusted(peer), let address = NetworkAddress(text: peer)?.unmapped
        else { return nil }
        return NetworkRange(covering: "\(address)/\(address.bytes.count == 4 ? 32 : 64)")
    }
}
