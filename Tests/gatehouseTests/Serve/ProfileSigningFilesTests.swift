// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Foundation
import Primitives
import SingleSignOn
import Support
import Testing

@testable import gatehouse

private enum OpenSSL {
    static let path = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}

@Suite("Files that profiles are signed with", .enabled(if: OpenSSL.path != nil, "needs openssl"))
struct ProfileSigningFilesTests {
    private let folder = TestFolder()
    private var files: ServeConfiguration.CertificateFiles {
        .init(certificate: folder.path("certificate.pem"), key: folder.path("key.pem"))
    }

    /// A certificate of that name and its key, under the names of ``files``.
    private func make(_ name: String) async throws {
        let program = URL(filePath: OpenSSL.path ?? "")
        let child = try ChildProcess(
            program,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-days", "2", "-subj", "/CN=\(name)", "-keyout", files.key, "-out",
                files.certificate,
            ], log: URL(filePath: folder.path("log")))
        let status = try await child.ended()
        #expect(status == 0)
    }

    private func names(_ signing: ProfileSigningFiles) throws -> [String] {
        let message = try signing.sign([1, 2, 3], at: Timestamp(seconds: 1_800_000_000))
        return try SignedProfile(message).certificateNames
    }

    @Test("Files that are replaced sign after they are read again; bad ones leave the old ones")
    func reload() async throws {
        try await make("First")
        let signing = try ProfileSigningFiles(files)
        #expect(try names(signing) == ["First"])
        try await make("Second")
        #expect(try names(signing) == ["First"])
        try signing.reload()
        #expect(try names(signing) == ["Second"])
        try Data("no key".utf8).write(to: URL(filePath: files.key))
        #expect(throws: CommandError.self) { try signing.reload() }
        #expect(try names(signing) == ["Second"])
    }

    @Test("Files that are missing, or do not belong together, are named")
    func refused() async throws {
        func complaint() -> String? {
            do {
                _ = try ProfileSigningFiles(files)
                return nil
            } catch { return "\(error)" }
        }
        #expect(complaint()?.contains("certificate.pem does not exist") == true)
        try await make("First")
        let key = try Data(contentsOf: URL(filePath: files.key))
        try await make("Second")
        try key.write(to: URL(filePath: files.key))
        #expect(complaint()?.contains("key.pem: none of the certificates belongs") == true)
        try Data().write(to: URL(filePath: files.certificate))
        #expect(complaint()?.contains("certificate.pem: there is no certificate") == true)
    }
}
