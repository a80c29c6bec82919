// SPDX-License-Identifier: Apache-2.0
import Logging
import Platform
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage

/// Applies state files from within the server, at start and at SIGHUP.
struct StateFiles: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    func apply(_ paths: [String]) async throws {
        for path in paths {
            // Errors of the document name the place in the file.
            let document = try StateDocument.read(path, of: "apply")
            let file: ConfiguredStateFile
            do throws(StateDocumentError) {
                file = try ConfiguredStateFile(
                    provider, path: path, document: document.json,
                    host: Machine.hostName ?? "localhost")
            } catch {
                throw document.error(error.problems)
            }
            let facts = RequestMetadata(
                now: provider.clock.now, requestID: "start", address: "local")
            switch try await file.apply(facts: facts) {
            case .failure(let refusal): throw document.error(refusal.problems)
            case .success(let outcome): report(outcome, path)
            }
        }
    }

    private func report(_ outcome: ConfiguredStateFile.Outcome, _ path: String) {
        switch outcome {
        case .applied(let changes):
            let count = changes.count { $0.action != .unchanged }
            provider.log.info(
                "state applied", metadata: ["file": "\(path)", "changes": "\(count)"])
        case .superseded(let last):
            provider.log.error(
                """
                state file not applied: another host has applied another version since. Copy that \
                file to this host, or apply this one with gatehouse apply
                """,
                metadata: [
                    "file": "\(path)", "host": "\(last.host)",
                    "applied_at": "\(last.appliedAt.rfc3339)",
                ])
        }
    }
}
