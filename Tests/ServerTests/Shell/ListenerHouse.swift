// SPDX-License-Identifier: Apache-2.0
import Foundation
import IdentityProvider
import Logging
import NIOPosix
import ProviderSupport
import ServiceLifecycle

@testable import Server

/// Runs `body` with the port of a listener that ends afterwards.
func listening(
    to groups: (Provider) async throws -> [any RouteGroup], tls: TLSIdentity? = nil,
    issuer: String = TestProvider.issuer, log: Logger? = nil,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    let provider = try await TestProvider.empty(issuer: issuer, log: log)
    try await ProviderSetUp.ensureDefaults(provider)
    let listener = Listener(
        .init(host: "127.0.0.1", port: 0, tls: tls),
        dispatcher: Dispatcher(provider: provider, groups: try await groups(provider)),
        group: MultiThreadedEventLoopGroup.singleton)
    let (ports, ready) = AsyncStream.makeStream(of: Int.self)
    let service = try listener.service { ready.yield($0) }
    let group = ServiceGroup(
        services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        for await port in ports {
            try await body(port)
            break
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}

func curl(_ arguments: String...) async throws -> String { try await curl(arguments) }

func curl(_ arguments: [String]) async throws -> String {
    try await run("/usr/bin/curl", ["-s", "--max-time", "20"] + arguments)
}

/// A temporary folder with a self-signed certificate in it.
final class CertificateFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "gatehouse-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var certificate: String { path + "/certificate.pem" }
    var key: String { path + "/key.pem" }

    func makeCertificate(_ name: String) async throws -> TLSIdentity.Files {
        _ = try await run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-subj", "/CN=\(name)", "-days", "2", "-keyout", key, "-out", certificate,
            ])
        return TLSIdentity.Files(certificate: certificate, key: key)
    }
}

/// Runs a tool and gives what it wrote, without blocking the cooperative pool.
func run(_ tool: String, _ arguments: [String]) async throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    return try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { _ in
            let data = output.fileHandleForReading.readDataToEndOfFile()
            continuation.resume(returning: String(decoding: data, as: UTF8.self))
        }
        do { try process.run() } catch { continuation.resume(throwing: error) }
    }
}
