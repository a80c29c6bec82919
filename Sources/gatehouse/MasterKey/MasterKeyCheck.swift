// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Platform
import Primitives
import ProviderCore
import Storage

/// The master key of a process and the database that was set up with it. All processes of a
/// database have the same key: with another one sealed keys stay sealed, and hashes match nothing.
struct MasterKeyCheck {
    let store: any ProviderStore
    let file: MasterKeyFile

    /// Returns the keys. For a new database, creates the file if it is missing, and records the
    /// fingerprint of the key before anything else is stored.
    ///
    /// - Throws: ``CommandError`` if the database was set up with another key. If two processes start
    ///   at once with different files, that is the second one; it leaves no file.
    func secrets(_ random: some RandomSource = SystemRandomSource()) async throws -> DerivedKeys {
        let recorded = try await store.maintenance.masterKeyFingerprint()
        let home = try await store.projects.project(named: AdministratorRoles.homeProject)
        let (key, made) = try await key(isNew: recorded == nil && home == nil, random)
        guard let secrets = DerivedKeys(master: key) else {
            throw CommandError("\(file.path) is not a master key", code: .badInput)
        }
        if recorded == nil, let home, try await !opens(secrets, home.id) { throw otherKey }
        let known: [UInt8]
        if let recorded {
            known = recorded
        } else {
            known = try await store.maintenance.recordMasterKey(fingerprint: secrets.fingerprint)
        }
        guard known == secrets.fingerprint else {
            if let made { try await BlockingCall.run { [file] in try file.remove(made) } }
            throw otherKey
        }
        return secrets
    }

    /// Whether the key of the file is that of the database; `nil` if the database has none yet.
    func fits() async throws -> Bool? {
        let recorded = try await store.maintenance.masterKeyFingerprint()
        let key = try await BlockingCall.run { [file] in
            if let key = try file.read() { return key }
            // A service that has sent a wrong PIN waits for a correct one, also before its first key.
            if let token = file.token { try MasterKeyProtector.verifyPIN(token) }
            throw CommandError(
                file.token == nil
                    ? "\(file.path) is missing"
                    : "the token accepts the PIN; \(file.path) is missing", code: .badInput)
        }
        guard let secrets = DerivedKeys(master: key) else {
            throw CommandError("\(file.path) is not a master key", code: .badInput)
        }
        return recorded.map { $0 == secrets.fingerprint }
    }

    /// Returns the key, and the content of the file if this call has created it.
    private func key(
        isNew: Bool, _ random: some RandomSource
    ) async throws -> (key: Secret, made: MasterKeyFile.Content?) {
        // Argon2id and tokens take time.
        try await BlockingCall.run { [file] in
            if let key = try file.read() { return (key, nil) }
            guard isNew else {
                throw CommandError(
                    "\(file.path) is missing, but the database was set up with a master key; put "
                        + "the file back, or name it with --master-key-file. \(Self.remedy)")
            }
            return try file.create(random)
        }
    }

    /// Whether the key opens what a version sealed that recorded no fingerprint.
    private func opens(_ secrets: DerivedKeys, _ project: Identifier<Project>) async throws -> Bool
    {
        try await store.signingKeys.signingKeys(of: project).allSatisfy(secrets.opens)
    }

    private var otherKey: CommandError {
        CommandError(
            "the database was set up with another master key than \(file.path); start this process "
                + "with --master-key-file and the file that the database was set up with. "
                + Self.remedy)
    }

    private static let remedy =
        "Processes that share a database share one --master-key-file"
}
