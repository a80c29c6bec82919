// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import Support

/// A separate pcscd for one test with one virtual reader, on a socket that only its clients use.
///
/// The daemon has its socket's path built in, so it runs with a private `/run` in a mount
/// namespace. Its clients find it by `PCSCLITE_CSOCK_NAME`.
final class CardService: Sendable {
    private static let daemon = "/usr/sbin/pcscd"
    private static let driver = "/usr/lib/pcsc/drivers/serial/libifdvpcd.so"

    /// The reason why the service cannot run here; `nil` if it can.
    static let problem: String? = {
        let files = FileManager.default
        guard files.isExecutableFile(atPath: daemon) else { return "pcscd is not installed" }
        guard files.fileExists(atPath: driver) else { return "vsmartcard-vpcd is not installed" }
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/unshare")
        probe.arguments = namespace + ["/bin/sh", "-c", "mount --bind /tmp /run"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return "unshare is not installed" }
        probe.waitUntilExit()
        return probe.terminationStatus == 0 ? nil : "no mount namespace may be made here"
    }()

    private static var namespace: [String] { SystemAccount.effectiveUser == 0 ? ["-m"] : ["-rm"] }

    let port: UInt16
    /// The environment of its clients.
    let environment: [String: String]
    private let program: RunningProgram
    private let folder = TestFolder()

    init() async throws {
        let port = try Self.freePort()
        self.port = port
        let (run, configuration) = (folder.path("run"), folder.path("readers"))
        let files = FileManager.default
        try files.createDirectory(atPath: run + "/pcscd", withIntermediateDirectories: true)
        try files.createDirectory(atPath: configuration, withIntermediateDirectories: true)
        let number = "0x" + String(port, radix: 16, uppercase: true)
        let reader = """
            FRIENDLYNAME "Virtual PCD"
            DEVICENAME   /dev/null:\(number)
            LIBPATH      \(Self.driver)
            CHANNELID    \(number)

            """
        try Data(reader.utf8).write(to: URL(filePath: configuration + "/vpcd"))
        environment = ["PCSCLITE_CSOCK_NAME": run + "/pcscd/pcscd.comm"]
        // `exec` all the way: the process that is ended at last is pcscd itself.
        program = try RunningProgram(
            ["/usr/bin/unshare"] + Self.namespace + [
                "/bin/sh", "-c",
                "mount --bind \"$1\" /run && exec \(Self.daemon) -f -i -c \"$2\"", "sh", run,
                configuration,
            ])
        try await program.line(containing: "daemon ready")
    }

    /// Ends the daemon, and waits until it has gone.
    func end() async throws { try await program.end() }

    /// Returns a free port whose successor is free too, for the reader's second slot. Both are
    /// below the ephemeral ports, which concurrent tests use.
    private static func freePort() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 10_000..<16_000) * 2
            if LoopbackPort.isFree(port), LoopbackPort.isFree(port + 1) { return port }
        }
        throw NoPort()
    }

    struct NoPort: Error {}
}
