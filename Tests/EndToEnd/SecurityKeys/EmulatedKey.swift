// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// `gatehouse security-key emulate`: a software key on a pty, for as long as the test wants it.
final class EmulatedKey: Sendable {
    let child: ChildProcess
    let device: String
    private let folder: TemporaryDirectory
    private let touch: String
    private let options: [String]

    /// - Parameter options: further words for `emulate`.
    init(
        _ folder: TemporaryDirectory? = nil, touch: String = "auto", options: [String] = []
    ) async throws {
        let folder = try folder ?? TemporaryDirectory()
        let log = folder.file("device-\(UUID().uuidString.prefix(8)).json")
        child = try ChildProcess(
            Repository.gatehouse,
            [
                "security-key", "emulate", "--store", folder.file("key.ghsk").path(), "--touch",
                touch, "--json",
            ] + options, log: log)
        self.folder = folder
        self.touch = touch
        self.options = options
        device = try await eventually("the software key says its path") { [child] in
            guard child.isRunning else { throw HarnessError("emulate: \(child.lastWords)") }
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            guard text.hasSuffix("\n") else { return nil }
            return try JSON(parsing: Array(text.utf8))["device"].string
        }
    }

    /// The same key after a loss of power.
    func restarted() async throws -> EmulatedKey {
        try await child.stop()
        return try await EmulatedKey(folder, touch: touch, options: options)
    }

    /// `gatehouse security-key …` with this key and no terminal.
    func command(
        _ arguments: String..., pin: String? = nil, newPIN: String? = nil
    ) async throws -> Command.Outcome {
        var environment = ["GATEHOUSE_SECURITY_KEY": device]
        environment["GATEHOUSE_SECURITY_KEY_PIN"] = pin
        environment["GATEHOUSE_SECURITY_KEY_NEW_PIN"] = newPIN
        return try await Command.run(
            try Self.setsid, [Repository.gatehouse.path(), "security-key"] + arguments,
            environment: environment)
    }

    /// Takes the controlling terminal away, which a test that runs at a terminal would have.
    static var setsid: URL {
        get throws {
            guard let program = Repository.path(of: "setsid") else {
                throw HarnessError("setsid is not installed")
            }
            return program
        }
    }

    func stop() async throws { try await child.stop() }
}
