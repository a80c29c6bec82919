// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A plain TCP balancer before several servers: haproxy, or nginx with its module `stream`.
final class Balancer: Sendable {
    private static let nginxModule = "/usr/lib/nginx/modules/ngx_stream_module.so"

    /// Whether this machine has one of them.
    static var isInstalled: Bool { Repository.has("haproxy") || hasNginx }

    private static var hasNginx: Bool {
        Repository.has("nginx") && FileManager.default.fileExists(atPath: nginxModule)
    }

    let port: Int
    private let folder: TemporaryDirectory
    private let child: ChildProcess

    /// Starts it. The servers may start later.
    init(_ name: String, port: Int, servers: [Int]) async throws {
        self.port = port
        folder = try TemporaryDirectory()
        let log = try Repository.outputFile("\(name).log")
        if let haproxy = Repository.path(of: "haproxy") {
            let file = try folder.write(
                Self.haproxy(port: port, servers: servers), to: "haproxy.cfg")
            child = try ChildProcess(haproxy, ["-db", "-f", file.path()], log: log)
        } else if let nginx = Repository.path(of: "nginx") {
            let text = Self.nginx(port: port, servers: servers, folder: folder.file("").path())
            let file = try folder.write(text, to: "nginx.conf")
            child = try ChildProcess(nginx, ["-c", file.path()], log: log)
        } else {
            throw HarnessError("no balancer is installed")
        }
        let process = child
        try await eventually("the balancer listens") {
            guard process.isRunning else { throw HarnessError(process.lastWords) }
            return (try? Connection(port: port)) == nil ? nil : true
        }
    }

    /// A server is used while it is ready, and its connections end when it is not.
    private static func haproxy(port: Int, servers: [Int]) -> String {
        let list = servers.enumerated().map { "    server s\($0) 127.0.0.1:\($1) check" }
        return """
            defaults
                mode tcp
                timeout connect 1s
                timeout client 30s
                timeout server 30s
                timeout check 1s
                retries 3
                option redispatch 1
            frontend provider
                bind 127.0.0.1:\(port)
                default_backend servers
            backend servers
                balance roundrobin
                option httpchk GET /health/ready
                default-server inter 200ms fall 1 rise 1
            \(list.joined(separator: "\n"))

            """
    }

    /// It tries the next server if one refuses the connection.
    private static func nginx(port: Int, servers: [Int], folder: String) -> String {
        let list = servers.map { "server 127.0.0.1:\($0) max_fails=1 fail_timeout=1s;" }
        return """
            load_module \(nginxModule);
            daemon off;
            pid \(folder)/nginx.pid;
            error_log stderr;
            events {}
            stream {
                upstream servers { \(list.joined(separator: " ")) }
                server {
                    listen 127.0.0.1:\(port);
                    proxy_connect_timeout 1s;
                    proxy_pass servers;
                }
            }

            """
    }

    /// Waits until a server is ready.
    func hasServer() async throws {
        try await eventually("the balancer has a server") {
            let answer = try await exchange(.init(path: "/health/ready"), port: port, timeout: 2)
            return answer.status == 200 ? true : nil
        }
    }

    func stop() async throws { try await child.stop() }
}
