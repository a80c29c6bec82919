// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Primitives
import Support
import Testing

/// The software key behind a Unix socket that clients find by its path.
@Suite(.timeLimit(.minutes(5))) struct ListeningKeyTests {
    private let folder = TestFolder()
    private let random = SystemRandomSource()
    private var path: String { folder.path("key.socket") }

    private func served() throws -> ServedSecurityKey {
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: ManualClock(),
            random: random)
        return try EmulatedSecurityKey(key, random: random).serve(on: .socket(path: path))
    }

    private func open() async throws -> SecurityKey {
        try await SecurityKey.open(HIDDevice(path: path, kind: .stream, random: random))
    }

    @Test("Clients come and go, one after the other and several at once")
    func clients() async throws {
        let served = try served()
        #expect(served.path == path)
        for _ in 0..<3 {
            let key = try await open()
            #expect(key.info?.versions.contains("FIDO_2_1") == true)
            key.close()
        }
        let (first, second) = (try await open(), try await open())
        try await first.refreshInfo()
        try await second.refreshInfo()
        served.stop()
        await served.waitForEnd()
        await #expect(throws: SecurityKeyError.keyRemoved) { try await first.refreshInfo() }
    }

    @Test("Only its owner may connect, and its path goes with it")
    func permissions() async throws {
        let served = try served()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        served.stop()
        await served.waitForEnd()
        #expect(!FileManager.default.fileExists(atPath: path))
        await #expect(throws: SecurityKeyError.keyRemoved) { _ = try await open() }
    }

    @Test("A path where another process listens, or that is a file, is not changed")
    func inUse() async throws {
        let first = try served()
        #expect(throws: ServingError.inUse) { try served() }
        _ = try await open()
        first.stop()
        await first.waitForEnd()
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: ServingError.inUse) { try served() }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    }

    @Test("A socket that was left behind is replaced")
    func leftover() async throws {
        let script = "import socket,sys;s=socket.socket(socket.AF_UNIX,socket.SOCK_SEQPACKET);"
        let left = try await PeerProgram.run([
            "/usr/bin/env", "python3", "-c", script + "s.bind(sys.argv[1])", path,
        ])
        try #require(left.status == 0, "\(left.errors)")
        let served = try served()
        _ = try await open()
        served.stop()
        await served.waitForEnd()
    }

    /// Returns the number of Unix sockets of this process that neither listen nor are connected, as
    /// a failed attempt would leave them. Sockets of concurrent tests are excluded.
    private func idleSockets() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            Int32($0)
        }
        .count { file in
            option(SO_DOMAIN, of: file) == AF_UNIX && option(SO_ACCEPTCONN, of: file) == 0
                && !isConnected(file)
        }
    }

    private func option(_ name: Int32, of file: Int32) -> Int32? {
        var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(file, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private func isConnected(_ file: Int32) -> Bool {
        var (address, size) = (sockaddr(), socklen_t(MemoryLayout<sockaddr>.size))
        return getpeername(file, &address, &size) == 0
    }

    @Test("A path that exceeds the system's limit is refused, and leaks no descriptor")
    func tooLong() async throws {
        let long = folder.path(String(repeating: "x", count: 120))
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: ManualClock(),
            random: random)
        #expect(throws: ServingError.pathTooLong) {
            try EmulatedSecurityKey(key, random: random).serve(on: .socket(path: long))
        }
        // A link to a socket makes the client try to connect to a path that is too long.
        let served = try served()
        #expect(symlink(path, long) == 0)
        for _ in 0..<2000 {
            await #expect(throws: TransportError.tooLong) {
                _ = try await HIDDevice(path: long, kind: .stream, random: random).open()
            }
        }
        #expect(try idleSockets() < 1000)
        served.stop()
        await served.waitForEnd()
    }

    @Test("Clients above the limit are disconnected, and accepted after another one leaves")
    func crowd() async throws {
        let served = try served()
        var keys: [SecurityKey] = []
        for _ in 0..<8 { keys.append(try await open()) }
        await #expect(throws: SecurityKeyError.self) { _ = try await open() }
        keys.removeFirst().close()
        _ = try await eventually("there is room") { try? await open() }
        served.stop()
        await served.waitForEnd()
    }
}
