// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import HTTPServer

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
        _ = try await runTool(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-subj", "/CN=\(name)", "-days", "2", "-keyout", key, "-out", certificate,
            ])
        return TLSIdentity.Files(certificate: certificate, key: key)
    }
}

/// Runs a tool and gives what it wrote, without blocking the cooperative pool.
func runTool(_ tool: String, _ arguments: [String]) async throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let reading = output.fileHandleForReading
    return await withCheckedContinuation { continuation in
        // The tool ends once everything has been read: a pipe holds 64 KiB.
        Thread.detachNewThread {
            let data = reading.readDataToEndOfFile()
            continuation.resume(returning: String(decoding: data, as: UTF8.self))
        }
    }
}
