// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// `gatehouse serve` as an operator starts it: the built command, a data directory, a port.
final class ServerProcess: Sendable {
    let port: Int
    let data: TemporaryDirectory
    let name: String
    private let arguments: [String]
    private let environment: [String: String]
    let child: ChildProcess

    var issuer: String { "http://localhost:\(port)" }

    /// Starts and waits until it is ready. The log is kept in the output folder as NAME.log.
    init(
        _ name: String, data: TemporaryDirectory? = nil, port: Int? = nil,
        arguments: [String] = [], environment: [String: String] = [:]
    ) async throws {
        self.name = name
        self.arguments = arguments
        self.environment = environment
        self.data = try data ?? TemporaryDirectory()
        self.port = try port ?? Connection.freePort(neighbours: 3)
        let issuer = "http://localhost:\(self.port)"
        child = try ChildProcess(
            Repository.gatehouse,
            [
                "serve", "--data-dir", self.data.file("data").path(), "--listen",
                "127.0.0.1:\(self.port)", "--issuer", issuer,
            ] + arguments,
            log: Repository.outputFile("\(name).log"), environment: environment)
        try await ready()
    }

    var dataDirectory: String { data.file("data").path() }

    private func ready() async throws {
        try await eventually("\(name) is ready") {
            guard child.isRunning else {
                throw HarnessError("the server ended: \(child.lastWords)")
            }
            let answer = try await exchange(.init(path: "/health/ready"), port: port, timeout: 2)
            return answer.status == 200 ? true : nil
        }
    }

    /// The same server again: same data, same port, after this one is over.
    func restarted() async throws -> ServerProcess {
        try await ServerProcess(
            name, data: data, port: port, arguments: arguments, environment: environment)
    }

    func get(_ path: String, headers: [(String, String)] = []) async throws -> HTTPAnswer {
        try await exchange(.init(path: path, headers: headers), port: port)
    }

    func post(
        _ path: String, _ fields: [(String, String)], headers: [(String, String)] = []
    ) async throws -> HTTPAnswer {
        try await exchange(.form(path, fields, headers: headers), port: port)
    }

    /// `gatehouse apply` of declarative state against this server.
    func apply(_ state: String) async throws {
        let file = try data.write(state, to: "state.yaml")
        let outcome = try await Command.gatehouse(
            "apply", file.path(), "--data-dir", dataDirectory)
        guard outcome.status == 0 else {
            throw HarnessError("apply: \(outcome.status) \(outcome.output) \(outcome.errors)")
        }
    }

    func stop() async throws { try await child.stop() }
}
