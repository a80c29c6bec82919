// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// Web sites of an authority's hosts on one port: empty pages, and pages with others in a frame
/// (`peers/webauthn_sites.py`).
struct WebSites {
    private let program: ChildProcess

    /// - Parameter port: 443 where Chromium looks for lists of related origins.
    init(_ authority: CertificateAuthority, port: Int = 443) async throws {
        let program = try ChildProcess(
            Repository.python,
            [
                Repository.peers.appending(path: "webauthn_sites.py").path(),
                authority.certificate.path(), authority.key.path(),
                authority.folder.url.path(), "\(port)",
            ], log: Repository.outputFile("sites-\(port).log"))
        self.program = program
        try await eventually("the sites are up") {
            guard program.isRunning else { throw HarnessError(program.lastWords) }
            let ready = authority.folder.file("ready").path()
            return FileManager.default.fileExists(atPath: ready) ? true : nil
        }
    }

    func stop() async throws { try await program.stop() }
}
