// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A certificate authority of this test alone, made by openssl, with one certificate for all the
/// hosts that are asked for.
struct CertificateAuthority {
    let folder: TemporaryDirectory
    var root: URL { folder.file("root.pem") }
    var certificate: URL { folder.file("site.pem") }
    var key: URL { folder.file("site.key") }

    static var isInstalled: Bool { Repository.has("openssl") && Repository.has("certutil") }

    init(hosts: [String]) async throws {
        folder = try TemporaryDirectory()
        try folder.write(
            "subjectAltName=\(hosts.map { "DNS:\($0)" }.joined(separator: ","))\n",
            to: "site.ext")
        try await openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
                + "-subj /CN=Gatehouse-Test -keyout root.key -out root.pem")
        try await openssl(
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=site "
                + "-keyout site.key -out site.csr")
        try await openssl(
            "x509 -req -in site.csr -CA root.pem -CAkey root.key -CAcreateserial -days 1 "
                + "-extfile site.ext -out site.pem")
    }

    /// Words that name a file of the folder are taken there.
    private func openssl(_ line: String) async throws {
        let words = line.split(separator: " ").map { word in
            [".key", ".pem", ".csr", ".ext"].contains { word.hasSuffix($0) }
                ? folder.file(String(word)).path() : String(word)
        }
        try await run("openssl", words)
    }

    /// A home folder in which Chromium trusts this authority.
    func browserHome() async throws -> URL {
        let home = folder.file("home")
        let store = home.appending(path: ".pki/nssdb")
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
        try await run("certutil", ["-N", "-d", "sql:\(store.path())", "--empty-password"])
        try await run(
            "certutil",
            ["-A", "-d", "sql:\(store.path())", "-t", "C,,", "-n", "test", "-i", root.path()])
        return home
    }

    private func run(_ program: String, _ arguments: [String]) async throws {
        guard let path = Repository.path(of: program) else {
            throw HarnessError("\(program) is not installed")
        }
        let outcome = try await Command.run(path, arguments)
        guard outcome.status == 0 else {
            throw HarnessError("\(program) \(arguments.joined(separator: " ")): \(outcome.errors)")
        }
    }
}
