// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// aiosmtpd in a separate Python process, on a free loopback port; see `peers/`.
final class SMTPServerPeer: Sendable {
    struct Received: Decodable, Sendable {
        let from: String
        let to: [String]
        let content: String
        let tls: Bool
        let authenticated: Bool
    }

    struct StartFailure: Error {}

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The interpreter with aiosmtpd, which `Scripts/bootstrap` installs.
    private static let python = root.appending(path: ".venv/bin/python")

    static var isInstalled: Bool {
        let packages = root.appending(path: ".venv/lib").path
        let files = try? FileManager.default.subpathsOfDirectory(atPath: packages)
        return files?.contains { $0.hasSuffix("site-packages/aiosmtpd") } ?? false
    }

    let port: Int
    let certificate: String
    private let process: Process
    private let input: Pipe
    private let lines: AsyncStream<String>

    init(mode: String) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "gatehouse-mail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        certificate = directory.appending(path: "certificate.pem").path
        let key = directory.appending(path: "key.pem").path
        try Self.makeCertificate(certificate, key)
        (process, input) = (Process(), Pipe())
        let output = Pipe()
        process.executableURL = Self.python
        let script = Self.root.appending(path: "Tests/MailTests/peers/smtp_server.py").path
        process.arguments = [script, mode, certificate, key]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        lines = Self.lines(of: output.fileHandleForReading)
        struct Listening: Decodable { let port: Int }
        guard let first = await Self.first(of: lines) else { throw StartFailure() }
        port = try JSONDecoder().decode(Listening.self, from: Data(first.utf8)).port
    }

    /// The next message that the server took.
    func next() async throws -> Received? {
        guard let line = await Self.first(of: lines) else { return nil }
        return try JSONDecoder().decode(Received.self, from: Data(line.utf8))
    }

    /// Ends the server: it lives as long as its standard input.
    func stop() { try? input.fileHandleForWriting.close() }

    deinit { stop() }

    private static func first(of lines: AsyncStream<String>) async -> String? {
        for await line in lines { return line }
        return nil
    }

    /// Reads on a separate queue, because reading from a pipe blocks.
    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        DispatchQueue(label: "smtp-peer").async {
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = rest[(end + 1)...]
                }
            }
            continuation.finish()
        }
        return stream
    }

    private static func makeCertificate(_ certificate: String, _ key: String) throws {
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else { throw StartFailure() }
    }
}
