// SPDX-License-Identifier: Apache-2.0
import Logging
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings

/// Applies state files from within the server, at start and at SIGHUP.
struct StateFiles: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    func apply(_ paths: [String]) async throws {
        for path in paths {
            // Errors of the document name the place in the file.
            let document = try StateDocument.read(path, of: "apply")
            let facts = RequestMetadata(
                now: provider.clock.now, requestID: "start", address: "local")
            let wanted: DesiredState
            do throws(StateDocumentError) {
                wanted = try StateParser.parse(document.json)
            } catch {
                throw document.error(error.problems)
            }
            switch try await StateReconciler(provider).apply(wanted, facts: facts) {
            case .failure(let refusal): throw document.error(refusal.problems)
            case .success(let changes):
                let count = changes.count { $0.action != .unchanged }
                provider.log.info(
                    "state applied", metadata: ["file": "\(path)", "changes": "\(count)"])
            }
        }
    }
}
