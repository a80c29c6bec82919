// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import IdentityProvider
import Logging
import NIOPosix
import PasswordHashing
import Primitives
import ServiceLifecycle
import Storage
import StorageSQLite
import Support
import Testing

@testable import Server

/// The listener on a real socket, asked by the unmodified `curl` and `openssl`.
@Suite(.timeLimit(.minutes(2)))
struct ListenerTests {
    private struct Echo: RouteGroup {
        func routes() -> [Route] {
            [
                Route(.get, "/hello") { request in
                    .json(Array("{\"secure\":\(request.isSecure)}".utf8))
                },
                Route(.post, "/count", bodyLimit: 1000) { request in
                    .json(Array(String(request.body.count).utf8))
                },
                Route(.get, "/broken") { _ in throw CancellationError() },
            ]
        }
    }

    @Test("an answer carries the headers that hold everywhere, and a request id")
    func headers() async throws {
        try await withListener { port in
            let answer = try await curl("-i", "http://127.0.0.1:\(port)/hello")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            for line in [
                "x-content-type-options: nosniff", "referrer-policy: no-referrer",
                "content-security-policy: default-src 'none'", "x-request-id: ", "date: ",
            ] { #expect(answer.lowercased().contains(line), "\(line)") }
            #expect(!answer.lowercased().contains("strict-transport-security"))
        }
    }

    @Test("HEAD is GET without the body")
    func head() async throws {
        try await withListener { port in
            let answer = try await curl("-I", "http://127.0.0.1:\(port)/hello")
            #expect(answer.contains("200 OK") && answer.contains("16"))
        }
    }

    @Test("a body over the limit is answered with 413, whether its length is said or not")
    func bodyLimit() async throws {
        try await withListener { port in
            let url = "http://127.0.0.1:\(port)/count"
            let big = String(repeating: "x", count: 1001)
            let exact = String(repeating: "x", count: 1000)
            let chunked = ["-H", "Transfer-Encoding: chunked", "-H", "Content-Length:"]
            let answers = [
                try await status(of: url, [], "-d", exact),
                try await status(of: url, [], "-d", big),
                try await status(of: url, chunked, "-d", exact),
                try await status(of: url, chunked, "-d", big),
            ]
            #expect(answers == ["200", "413", "200", "413"])
        }
    }

    @Test("a thrown error is 503 with a problem document that says nothing of the cause")
    func thrown() async throws {
        try await withListener { port in
            let answer = try await curl("-i", "http://127.0.0.1:\(port)/broken")
            #expect(answer.contains("503") && answer.contains("temporarily_unavailable"))
            #expect(answer.contains("application/problem+json"))
            #expect(!answer.contains("Cancellation"))
        }
    }

    @Test("an unknown path is 404, an unknown project too, another method 405 with Allow")
    func refusals() async throws {
        try await withListener { port in
            let base = "http://127.0.0.1:\(port)"
            #expect(try await curl("-i", "\(base)/nothing").contains("404"))
            #expect(try await curl("-i", "\(base)/p/nobody/hello").contains("404"))
            let wrong = try await curl("-i", "-X", "DELETE", "\(base)/hello")
            #expect(wrong.contains("405") && wrong.lowercased().contains("allow: get, head"))
        }
    }

    @Test("TLS speaks HTTP/2 and HTTP/1.1, and says HSTS")
    func tls() async throws {
        let folder = try Folder()
        let identity = try TLSIdentity(try await folder.makeCertificate("first.example"))
        try await withListener(tls: identity) { port in
            let url = "https://127.0.0.1:\(port)/hello"
            let two = try await curl("-k", "-i", "--http2", url)
            #expect(two.hasPrefix("HTTP/2 200") && two.contains("{\"secure\":true}"))
            #expect(two.contains("strict-transport-security"))
            #expect(try await curl("-k", "-i", "--http1.1", url).hasPrefix("HTTP/1.1 200"))
            let code = try await curl(
                "-k", "-o", "/dev/null", "-w", "%{http_code}", "--http2", "-d",
                String(repeating: "x", count: 1001), "https://127.0.0.1:\(port)/count")
            #expect(code == "413")
        }
    }

    @Test("a new certificate is shown after reload, a bad one changes nothing")
    func reload() async throws {
        let folder = try Folder()
        let identity = try TLSIdentity(try await folder.makeCertificate("first.example"))
        try await withListener(tls: identity) { port in
            func subject() async throws -> String {
                try await run(
                    "/bin/sh",
                    [
                        "-c",
                        "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null "
                            + "| openssl x509 -noout -subject",
                    ])
            }
            #expect(try await subject().contains("first.example"))
            _ = try await folder.makeCertificate("second.example")
            try identity.reload()
            #expect(try await subject().contains("second.example"))
            try Data("not a certificate".utf8).write(to: URL(filePath: folder.certificate))
            #expect(throws: (any Error).self) { try identity.reload() }
            #expect(try await subject().contains("second.example"))
        }
    }

    // MARK: Around the tests

    private func withListener(
        tls: TLSIdentity? = nil, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let provider = try await TestProvider.make()
        let listener = Listener(
            .init(host: "127.0.0.1", port: 0, tls: tls),
            dispatcher: Dispatcher(provider: provider, groups: [Echo()]),
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

    private func status(
        of url: String, _ options: [String], _ more: String...
    ) async throws -> String {
        try await curl(["-o", "/dev/null", "-w", "%{http_code}"] + options + more + [url])
    }

    private func curl(_ arguments: String...) async throws -> String {
        try await curl(arguments)
    }

    private func curl(_ arguments: [String]) async throws -> String {
        try await run("/usr/bin/curl", ["-s", "--max-time", "20"] + arguments)
    }
}

/// A temporary folder with a self-signed certificate in it.
private final class Folder: Sendable {
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
private func run(_ tool: String, _ arguments: [String]) async throws -> String {
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
