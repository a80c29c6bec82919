// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// An independent security token service in Python (`peers/platform_sso/federation_service.py`), over TLS.
final class FederationService: Sendable {
    static let password = "what only the token service knows"

    /// The settings of the provider that accepts it.
    let settings: [String: JSON]
    let authority: CertificateAuthority
    private let address: String
    private let child: ChildProcess

    init(_ name: String, user: String) async throws {
        let authority = try await CertificateAuthority(hosts: ["localhost"])
        let port = try Connection.freePort()
        let ready = authority.folder.file("ready.json")
        let child = try ChildProcess(
            Repository.python,
            [
                Repository.peers.appending(path: "platform_sso/federation_service.py").path(),
                "\(port)",
                authority.certificate.path(), authority.key.path(), ready.path(), user,
                Self.password,
            ], log: Repository.outputFile("\(name).log"))
        let written = try await eventually("the token service listens", within: .seconds(60)) {
            guard child.isRunning else { throw HarnessError(child.lastWords) }
            let bytes = try? Data(contentsOf: ready)
            return try? bytes.map { try JSON(parsing: Array($0)) }
        }
        guard case .object(let members) = written else { throw HarnessError(written.text) }
        settings = members
        self.authority = authority
        self.child = child
        address = "https://localhost:\(port)"
    }

    /// What it was asked, and how it goes wrong from now on.
    @discardableResult
    func control(fault: String? = nil) async throws -> JSON {
        guard let curl = Repository.path(of: "curl") else {
            throw HarnessError("curl is not installed")
        }
        let query = fault.map { "?fault=\($0)" } ?? ""
        let outcome = try await Command.run(
            curl,
            ["--silent", "--cacert", authority.root.path(), address + "/control" + query])
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    func stop() async throws { try await child.stop() }
}
