// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Platform
import Primitives
import ProviderCore
import Storage

/// The one secret from which every other is derived. Never in the database.
enum MasterKey {
    /// What the file holds.
    static func read(_ path: String) throws -> Secret? {
        guard let content = try SecretFile.read(path) else { return nil }
        let letters = content.trimmedLine
        guard let bytes = Base64URL.decode(bytes: letters), bytes.count >= 32 else {
            throw CommandError(
                "\(path) is not a master key: it must hold at least 32 bytes in base64url",
                code: .badInput)
        }
        return Secret(bytes)
    }

    /// Makes the file, or takes the one that another process has just made.
    static func create(_ path: String, _ bytes: [UInt8]) throws -> Secret {
        let text = Base64URL.encodeBytes(bytes) + [UInt8(ascii: "\n")]
        _ = try SecretFile.create(path, text)
        guard let key = try read(path) else {
            throw CommandError("\(path) was deleted after it was created")
        }
        return key
    }
}

/// The master key of a process and the database that was set up with it. All processes of a
/// database have the same key: with another one sealed keys stay sealed, and hashes match nothing.
struct MasterKeyCheck {
    let store: any ProviderStore
    /// The file of the key.
    let path: String

    /// Returns the keys. For a new database, creates the file if it is missing, and records the
    /// fingerprint of the key before anything else is stored.
    ///
    /// - Throws: ``CommandError`` if the database was set up with another key. If two processes start
    ///   at once with different files, that is the second one; it leaves no file.
    func secrets(_ random: some RandomSource = SystemRandomSource()) async throws -> DerivedKeys {
        let recorded = try await store.maintenance.masterKeyFingerprint()
        let home = try await store.projects.project(named: AdministratorRoles.homeProject)
        let (key, isMade) = try file(isNew: recorded == nil && home == nil, random)
        guard let secrets = DerivedKeys(master: key) else {
            throw CommandError("\(path) is not a master key", code: .badInput)
        }
        if recorded == nil, let home, try await !opens(secrets, home.id) { throw otherKey }
        let known: [UInt8]
        if let recorded {
            known = recorded
        } else {
            known = try await store.maintenance.recordMasterKey(fingerprint: secrets.fingerprint)
        }
        guard known == secrets.fingerprint else {
            if isMade { _ = try DurableFile.remove(path) }
            throw otherKey
        }
        return secrets
    }

    /// Returns the content of the file, and whether this call has created it.
    private func file(isNew: Bool, _ random: some RandomSource) throws -> (Secret, isMade: Bool) {
        if let key = try MasterKey.read(path) { return (key, false) }
        guard isNew else {
            throw CommandError(
                "\(path) is missing, but the database was set up with a master key; put the file "
                    + "back, or name it with --master-key-file. \(Self.remedy)")
        }
        let new = random.bytes(32)
        let key = try MasterKey.create(path, new)
        return (key, key.reveal() == new)
    }

    /// Whether the key opens what a version sealed that recorded no fingerprint.
    private func opens(_ secrets: DerivedKeys, _ project: Identifier<Project>) async throws -> Bool
    {
        try await store.signingKeys.signingKeys(of: project).allSatisfy(secrets.opens)
    }

    private var otherKey: CommandError {
        CommandError(
            "the database was set up with another master key than \(path); start this process with "
                + "--master-key-file and the file that the database was set up with. \(Self.remedy)"
        )
    }

    private static let remedy =
        "Processes that share a database share one --master-key-file"
}
