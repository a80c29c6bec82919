// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A site on loopback with a certificate of an authority that exists for this test alone: the
/// unmodified `openssl s_server`, which sends files as whole HTTP answers.
package final class TLSSite {
    package enum Certificate: Sendable, CaseIterable {
        case good, expired, ofAnotherName, selfSigned
    }

    struct Failure: Error {}

    /// Where the test's authority is, PEM.
    package let authority: String
    package let port: Int
    private let folder: URL
    private let server = Process()

    package static let openssl: String? = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    package init(_ certificate: Certificate, answer: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: ".well-known"), withIntermediateDirectories: true)
        try Data(answer.utf8).write(
            to: folder.appending(path: ".well-known/apple-app-site-association"))
        authority = folder.appending(path: "ca.pem").path
        try Self.makeCertificates(certificate, in: folder)
        server.executableURL = Self.openssl.map { URL(filePath: $0) }
        server.arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-cert", "site.pem", "-key", "site.key", "-HTTP",
        ]
        server.currentDirectoryURL = folder
        let output = Pipe()
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        server.standardInput = FileHandle.nullDevice
        try server.run()
        port = try Self.port(in: output.fileHandleForReading)
    }

    deinit {
        if server.isRunning { server.terminate() }
        try? FileManager.default.removeItem(at: folder)
    }

    /// `ACCEPT 127.0.0.1:PORT`.
    private static func port(in output: FileHandle) throws -> Int {
        var text = ""
        while case let data = output.availableData, !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
            where line.hasPrefix("ACCEPT") {
                if let port = line.split(separator: ":").last.flatMap({ Int($0) }) { return port }
            }
        }
        throw Failure()
    }

    private static func makeCertificates(_ certificate: Certificate, in folder: URL) throws {
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        try run("req -x509 \(key) -days 2 -subj /CN=Test-CA -keyout ca.key -out ca.pem", folder)
        let name = certificate == .ofAnotherName ? "other.test" : "localhost"
        try Data("subjectAltName=DNS:\(name)\n".utf8).write(to: folder.appending(path: "site.ext"))
        if certificate == .selfSigned {
            return try run(
                "req -x509 \(key) -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost "
                    + "-keyout site.key -out site.pem", folder)
        }
        try run("req \(key) -subj /CN=site -keyout site.key -out site.csr", folder)
        let days = certificate == .expired ? "-1" : "1"
        try run(
            "x509 -req -in site.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days \(days) "
                + "-extfile site.ext -out site.pem", folder)
    }

    private static func run(_ line: String, _ folder: URL) throws {
        let process = Process()
        process.executableURL = openssl.map { URL(filePath: $0) }
        process.arguments = line.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure() }
    }
}
