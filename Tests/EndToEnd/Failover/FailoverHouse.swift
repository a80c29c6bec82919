// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// Two processes on one cluster: the first knows both PostgreSQL servers, the second reaches the
/// primary through haproxy.
struct FailoverHouse {
    /// The time after the new primary accepts changes in which a process may still respond with
    /// 503: to find it by its hosts, and for haproxy's next check.
    static let bounds: [Duration] = [.seconds(2), .seconds(4)]

    let cluster: PatroniCluster
    let processes: ClusterHouse
    private let proxy: Balancer

    static func start(_ name: String) async throws -> FailoverHouse {
        let first = try Connection.freePort(neighbours: PatroniCluster.portCount + 1)
        let cluster = try await PatroniCluster(name, firstPort: first)
        try await cluster.makeDatabase("gatehouse")
        let port = first + PatroniCluster.portCount
        let proxy = try await Balancer(
            "\(name)-haproxy", port: port, haproxy: haproxy(port: port, cluster.members))
        let hosts = cluster.members.map { "127.0.0.1:\($0.ports.database)" }
            .joined(separator: ",")
        let urls = [
            "postgres://gatehouse@\(hosts)/gatehouse?target_session_attrs=read-write",
            "postgres://gatehouse@127.0.0.1:\(port)/gatehouse",
        ]
        let processes = try await ClusterHouse.pair(name, urls: urls)
        return FailoverHouse(cluster: cluster, processes: processes, proxy: proxy)
    }

    /// The configuration of docs/guide/large.md.
    private static func haproxy(port: Int, _ members: [PatroniMember]) -> String {
        let servers = members.map {
            "    server \($0.name) 127.0.0.1:\($0.ports.database) check port \($0.ports.api)"
        }
        return """
            defaults
                mode tcp
                timeout connect 1s
                timeout client 30m
                timeout server 30m
                timeout check 1s
                retries 0
            listen postgresql
                bind 127.0.0.1:\(port)
                option httpchk OPTIONS /primary
                http-check expect status 200
                default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
            \(servers.joined(separator: "\n"))

            """
    }

    var servers: [ServerProcess] { processes.servers }
    var issuer: String { servers[0].issuer }

    func stop() async throws {
        try await processes.stop()
        try await proxy.stop()
        try await cluster.stop()
    }
}
