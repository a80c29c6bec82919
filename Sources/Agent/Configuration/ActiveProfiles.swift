// SPDX-License-Identifier: Apache-2.0
import Platform
import Primitives
import SingleSignOn

/// The profiles of the device, and the extensions that serve them.
@AgentActor
final class ActiveProfiles {
    private(set) var state = ProfileState()
    let folder: ProfileFolder
    let extensions: any ExtensionSource
    private let keyStore: KeyStoreKind

    init(_ folder: ProfileFolder, _ extensions: any ExtensionSource, keyStore: KeyStoreKind) {
        (self.folder, self.extensions, self.keyStore) = (folder, extensions, keyStore)
    }

    /// Reads the profiles.
    ///
    /// - Parameter records: The plan of its registrations is the one before.
    func read(_ records: RecordStore) async throws -> RegistrationEvent {
        let (folder, time, reading) = (folder, records.now, state.startReading())
        let read = try await BlockingCall.run { folder.read(now: time) }
        return state.finish(
            reading, read, .init(extensions: extensions, keyStore: keyStore),
            before: records.record.registrations.plan)
    }

    /// The payload that names the extension, while one is installed.
    var configuration: SSOConfiguration? { state.configuration }

    func configuration(for account: String) -> SSOConfiguration? {
        state.choice.configuration(for: account)
    }

    func policy(of person: String) -> SignInPolicy {
        configuration(for: person).map { SignInPolicy($0) } ?? SignInPolicy()
    }

    /// The extension of the configuration.
    var serving: InstalledExtension? { configuration.flatMap { extensions.find($0) } }

    /// The extension of the configuration, or of the one that was removed.
    var notified: InstalledExtension? {
        serving ?? state.removed.flatMap { extensions.find($0) }
    }
}
