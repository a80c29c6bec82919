// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import ProviderCore
package import ProviderSettings
package import Storage

/// A state file of the configuration of a process, which applies it at its start and at SIGHUP.
///
/// The store has the versions that processes have applied. A file that has not changed on this host
/// is not applied again after another host has applied another version, because it would undo that
/// one. A call of the Admin API can apply it.
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
    ///   - path: as in the configuration; processes that share a file use the same one.
    ///   - document: with secrets.
    ///   - host: the name of this host.
    package init(
        _ provider: Provider, path: String, document: JSONValue, host: String
    ) throws(StateDocumentError) {
        self.provider = provider
        state = try StateParser.parse(document)
        version = AppliedStateFile(
            path: path, host: host,
            digest: provider.secrets.hash(document.bytes, for: .stateFile),
            appliedAt: provider.clock.now)
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
        if let last = versions.first, isOlder(than: versions),
            steps.contains(where: { $0.change.action != .unchanged })
        {
            return .success(.superseded(by: last))
        }
        let result = try await reconciler.write(steps, facts)
        let isRecorded = versions.first.map { $0.digest == version.digest } ?? false
        let isRecordedHere = ofThisHost(versions)?.digest == version.digest
        if case .success = result, !isRecorded || !isRecordedHere {
            try await provider.store.stateFiles.record(version)
        }
        return result.map(Outcome.applied)
    }

    /// Whether another version was applied since this one. A file that was changed on this host is
    /// newer, whatever its content.
    private func isOlder(than versions: [AppliedStateFile]) -> Bool {
        guard versions.first?.digest != version.digest else { return false }
        if let own = ofThisHost(versions) { return own.digest == version.digest }
        return versions.contains { $0.digest == version.digest }
    }

    private func ofThisHost(_ versions: [AppliedStateFile]) -> AppliedStateFile? {
        versions.first { $0.host == version.host }
    }
}
