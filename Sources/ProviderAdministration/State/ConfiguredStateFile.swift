// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import ProviderCore
package import ProviderSettings
package import Storage

/// A state file of the configuration of a process, which applies it at its start and at SIGHUP.
///
/// The store has the versions that processes have applied. A version that another one has replaced
/// is not applied again by a process that still has it, because it would undo the newer one. It is
/// applied by a call of the Admin API, and becomes the last version again when it changes nothing.
package struct ConfiguredStateFile: Sendable {
    /// The result of ``apply(facts:)``.
    package enum Outcome: Sendable, Equatable {
        case applied([StateChange])
        /// The file was not applied. It would undo this version.
        case superseded(by: AppliedStateFile)
    }

    private let provider: Provider
    private let version: AppliedStateFile
    private let state: DesiredState

    /// - Parameters:
    ///   - path: as in the configuration; processes that share files use the same one.
    ///   - document: with secrets.
    ///   - process: the process, for display.
    package init(
        _ provider: Provider, path: String, document: JSONValue, process: String
    ) throws(StateDocumentError) {
        self.provider = provider
        state = try StateParser.parse(document)
        version = AppliedStateFile(
            path: path, digest: provider.secrets.hash(document.bytes, for: .stateFile),
            process: process, appliedAt: provider.clock.now)
    }

    package func apply(facts: RequestMetadata) async throws -> Result<Outcome, StateDocumentError> {
        let reconciler = StateReconciler(provider)
        return try await reconciler.exclusively {
            switch try await reconciler.steps(state) {
            case .success(let steps): try await apply(steps, reconciler, facts)
            case .failure(let refusal): .failure(refusal)
            }
        }
    }

    private func apply(
        _ steps: [StateStep], _ reconciler: StateReconciler, _ facts: RequestMetadata
    ) async throws -> Result<Outcome, StateDocumentError> {
        let versions = try await provider.store.stateFiles.appliedVersions(of: version.path)
        let isLast = versions.first?.digest == version.digest
        if let last = versions.first, !isLast,
            versions.contains(where: { $0.digest == version.digest }),
            steps.contains(where: { $0.change.action != .unchanged })
        {
            return .success(.superseded(by: last))
        }
        let result = try await reconciler.write(steps, facts)
        if !isLast, case .success = result { try await provider.store.stateFiles.record(version) }
        return result.map(Outcome.applied)
    }
}
