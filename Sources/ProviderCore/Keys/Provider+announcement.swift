// SPDX-License-Identifier: Apache-2.0
import JOSE
import Logging
package import Storage

extension Provider {
    /// Publishes a key of the algorithm of the client's ID tokens, if the project has none. The client
    /// is saved already, and its first token would create the key, so an error is logged only.
    package func announceKeys(of client: Client) async {
        guard let algorithm = JWSAlgorithm(exactly: client.metadata.idTokenSignedResponseAlg) else {
            return
        }
        do {
            guard let project = try await store.projects.project(client.project) else { return }
            try await keys.announce(algorithm, for: Tenant(project: project, issuer: issuer))
        } catch {
            log.warning(
                "the key of a client's algorithm was not published",
                metadata: ["client_id": "\(client.clientID)", "error": "\(error)"])
        }
    }
}
