// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// `gatehouse serve` as an operator starts it: the built command, a data directory, a port.
final class ServerProcess: Sendable {
    let port: Int
    let data: TemporaryDirectory
    let name: String
    let program: URL
    private let arguments: [String]
    private let environment: [String: String]
    private let site: Site?
    /// Where it says that it is, when others see it behind something.
    private let outside: String?
    /// Where plain HTTP says whether it is ready.
    private let healthPort: Int
    let child: ChildProcess

    /// A name under which it serves https.
    struct Site: Sendable {
        let host: String
        let certificate: URL
        let key: URL
    }

    var issuer: String { outside ?? Self.issuer(site, port: port) }

    private static func issuer(_ site: Site?, port: Int) -> String {
        guard let site else { return "http://localhost:\(port)" }
        return "https://\(site.host)" + (port == 443 ? "" : ":\(port)")
    }

    /// Starts and waits until it is ready. The log is kept in the output folder as NAME.log.
    init(
        _ name: String, data: TemporaryDirectory? = nil, port: Int? = nil, site: Site? = nil,
        issuer outside: String? = nil, arguments: [String] = [],
        environment: [String: String] = [:], program: URL = Repository.gatehouse
    ) async throws {
        self.name = name
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.site = site
        self.outside = outside
        self.data = try data ?? TemporaryDirectory()
        let port = try port ?? Connection.freePort(neighbours: 3)
        self.port = port
        healthPort = site == nil ? port : try Connection.freePort()
        child = try ChildProcess(
            program,
            ["serve", "--data-dir", self.data.file("data").path()]
                + Self.place(site, outside, port: port, healthPort: healthPort) + arguments,
            log: Repository.outputFile("\(name).log"), environment: environment)
        try await ready()
    }

    private static func place(
        _ site: Site?, _ outside: String?, port: Int, healthPort: Int
    ) -> [String] {
        let issuer = outside ?? issuer(site, port: port)
        let place = ["--listen", "127.0.0.1:\(port)", "--issuer", issuer]
        guard let site else { return place }
        return place + [
            "--tls-certificate", site.certificate.path(), "--tls-key", site.key.path(),
            "--management-listen", "127.0.0.1:\(healthPort)", "--environment", "development",
        ]
    }

    var dataDirectory: String { data.file("data").path() }

    private func ready() async throws {
        let serves = try await eventually("\(name) is ready") { () -> Bool? in
            guard child.isRunning else { return false }
            let answer = try await exchange(
                .init(path: "/health/ready"), port: healthPort, timeout: 2)
            return answer.status == 200 ? true : nil
        }
        guard serves else { throw HarnessError("the server ended: \(child.lastWords)") }
    }

    /// Starts the same server again with the same data and port, after this one has ended.
    func restarted() async throws -> ServerProcess {
        try await ServerProcess(
            name, data: data, port: port, site: site, issuer: outside, arguments: arguments,
            environment: environment, program: program)
    }

    func get(_ path: String, headers: [(String, String)] = []) async throws -> HTTPAnswer {
        try await exchange(.init(path: path, headers: headers), port: port)
    }

    func post(
        _ path: String, _ fields: [(String, String)], headers: [(String, String)] = []
    ) async throws -> HTTPAnswer {
        try await exchange(.form(path, fields, headers: headers), port: port)
    }

    /// Runs a command of the same program against this server.
    func command(_ words: [String]) async throws {
        let outcome = try await Command.run(program, words + ["--data-dir", dataDirectory])
        guard outcome.status == 0 else {
            throw HarnessError(
                "\(words[0]): \(outcome.status) \(outcome.output) \(outcome.errors)")
        }
    }

    /// `gatehouse apply` of declarative state against this server.
    func apply(_ state: String) async throws {
        try await command(["apply", data.write(state, to: "state.yaml").path()])
    }

    func stop() async throws { try await child.stop() }
}
