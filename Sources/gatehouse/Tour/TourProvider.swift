// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import GatehouseClient
import JOSE

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A provider of the tour's own: `gatehouse serve` in a folder that is thrown away, with two apps
/// and one issuer that vouches for people.
final class TourProvider: Sendable {
    static let issuerOfPeople = "https://accounts.example"

    let issuer: String
    /// Of the app's own service, which vouches for its people.
    let vouchingKey: String
    private let process: Process
    private let folder: URL

    private init(issuer: String, vouchingKey: String, process: Process, folder: URL) {
        self.issuer = issuer
        self.vouchingKey = vouchingKey
        self.process = process
        self.folder = folder
    }

    static func start() async throws -> TourProvider {
        guard let program = Bundle.main.executableURL else {
            throw CommandError("this program cannot find itself")
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "gatehouse-tour-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let key = P256.Signing.PrivateKey()
        let state = folder.appending(path: "state.json")
        try Data(Self.state(vouchedBy: key.publicKey.pemRepresentation).bytes).write(to: state)
        let port = try freePort()
        let issuer = "http://localhost:\(port)"
        let process = Process()
        process.executableURL = program
        process.arguments = [
            "serve", "--data-dir", folder.appending(path: "data").path(), "--issuer", issuer,
            "--listen", "127.0.0.1:\(port)", "--apply", state.path(), "--log-level", "error",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let log = folder.appending(path: "log")
        try Data().write(to: log)
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        let provider = TourProvider(
            issuer: issuer, vouchingKey: key.pemRepresentation, process: process, folder: folder)
        do { try await provider.waitUntilReady(log) } catch {
            await provider.stop()
            throw error
        }
        return provider
    }

    private func waitUntilReady(_ log: URL) async throws {
        let network = try NetworkTransport()
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while process.isRunning, ContinuousClock.now < deadline {
            let answer = try? await network.response(to: ResourceRequest(issuer + "/health/ready"))
            if answer?.status == 200 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        let words = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw CommandError("the tour's provider did not start: \(words.suffix(500))")
    }

    /// Ends it, and removes all that it kept.
    func stop() async {
        if process.isRunning { process.terminate() }
        let process = process
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                process.waitUntilExit()
                done.resume()
            }
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func state(vouchedBy key: String) -> JSONValue {
        let apps: [JSONValue] = ["notes", "tasks"].map { name in
            [
                "client_id": .string(name), "client_name": .string(name.capitalized),
                "token_endpoint_auth_method": "none",
                "grant_types": [
                    "authorization_code", "refresh_token",
                    "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "urn:gatehouse:grant-type:passkey",
                ],
                "redirect_uris": ["http://127.0.0.1/callback"],
                "scope": "openid profile offline_access registration weather",
                "first_party": true,
            ]
        }
        return [
            "projects": [
                [
                    "name": "default", "environment": "development", "clients": .array(apps),
                    "registration": [
                        "methods": ["signedJWT"], "pin": ["use": "optional"],
                        "federated_deregistration": true, "device_scopes": ["weather"],
                    ],
                    "issuer_keys": [
                        [
                            "issuer": .string(issuerOfPeople), "kid": "k1", "alg": "ES256",
                            "public_key": .string(key),
                        ]
                    ],
                ]
            ]
        ]
    }

    /// One that nobody had a moment ago.
    private static func freePort() throws -> Int {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw CommandError("no socket for the tour's provider") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw CommandError("no port for the tour's provider") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
