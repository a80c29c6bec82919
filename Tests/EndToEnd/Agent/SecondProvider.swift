// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// The independent provider in Python (`peers/platform_sso/second_provider.py`).
final class SecondProvider: Sendable {
    let issuer: String
    private let port: Int
    private let child: ChildProcess

    init(_ name: String) async throws {
        port = try Connection.freePort()
        issuer = "http://localhost:\(port)"
        child = try ChildProcess(
            Repository.python,
            [
                Repository.peers.appending(path: "platform_sso/second_provider.py").path(),
                "\(port)", "anna",
                DeclaredState.password,
            ], log: Repository.outputFile("\(name).log"))
        try await eventually("the second provider answers") {
            guard child.isRunning else { throw HarnessError(child.lastWords) }
            return try await exchange(.init(path: "/control"), port: port).status == 200
                ? true : nil
        }
    }

    /// How it goes wrong from now on, and which of the next requests it holds.
    func control(
        fault: String = "", hold: Int = 0, afterwards: Bool = false
    ) async throws {
        let answer = try await exchange(
            .form(
                "/control",
                [
                    ("fault", fault), ("hold", "\(hold)"),
                    ("when", afterwards ? "after" : "before"),
                ]), port: port)
        guard answer.status == 200 else { throw HarnessError(answer.text) }
    }

    /// What it has seen since it was told how to be.
    func state() async throws -> JSON {
        let answer = try await exchange(.init(path: "/control"), port: port)
        return try JSON(parsing: Array(answer.text.utf8))
    }

    func stop() async throws { try await child.stop() }
}
