// SPDX-License-Identifier: Apache-2.0
package import CTAP
import Crypto
import JOSE
package import Platform
package import Primitives

/// The agent's record in one sealed file, which is replaced whole.
///
///     "GHAG" ‖ 1 ‖ kind of key store (1) ‖ length of the description (2) ‖ description of the vault
///     ‖ nonce (12) ‖ AES-256-GCM(record) ‖ tag (16)
///
/// Everything before the nonce is authenticated with the record. With a TPM the file is worth nothing
/// on another machine; with a token it needs the token and its
/// PIN, with a key file it is as safe as that file. All calls block.
package final class StateFile: Sendable {
    private static let magic: [UInt8] = Array("GHAG".utf8) + [1]
    private static let limit = 16 << 20

    private let path: String
    private let random: any RandomSource
    private let disk: any Disk
    private let head: [UInt8]
    private let key: SymmetricKey
    /// The file that is locked while this agent lives.
    private let lock: FileLock

    /// Opens the state of a folder, or prepares a new one. The file appears with the first save.
    ///
    /// - Parameters:
    ///   - folder: Made when it is missing, mode 0700.
    ///   - disk: Where it is written; another one in tests.
    /// - Throws: ``KeyStoreError/otherStore(found:wanted:)`` rather than take a weaker store, and
    ///   `AuthenticatorStoreError`: `inUse` while another agent runs.
    package init(
        folder: String, keys: AgentKeyStore, random: any RandomSource, disk: any Disk = SystemDisk()
    ) throws {
        path = folder + "/state"
        self.random = random
        self.disk = disk
        do throws(PlatformError) { try SystemDisk().makeFolder(folder, mode: 0o700) } catch {
            guard error.code == .exists else { throw AuthenticatorStoreError(error) }
        }
        lock = try StoreFile.lock(folder + "/lock")
        (head, key) = try Self.opened(
            path, keys, try keys.vault(keyFile: folder + "/key"), random)
    }

    /// The kind of store that the state in a folder was made with; `nil` when there is none.
    package static func kind(in folder: String) throws -> KeyStoreKind? {
        let path = folder + "/state"
        guard StoreFile.exists(path) else { return nil }
        return try split(try StoreFile.read(path, atMost: limit)).kind
    }

    private static func opened(
        _ path: String, _ keys: AgentKeyStore, _ vault: any StateProtector,
        _ random: any RandomSource
    ) throws -> (head: [UInt8], key: SymmetricKey) {
        guard StoreFile.exists(path) else {
            let (key, description) = try vault.create(random: random)
            let size = UInt16(clamping: description.count)
            let length = [UInt8(size >> 8), UInt8(truncatingIfNeeded: size)]
            return (magic + [keys.kind.code] + length + description, key)
        }
        let file = try split(try StoreFile.read(path, atMost: limit))
        guard file.kind == keys.kind else {
            throw KeyStoreError.otherStore(found: file.kind, wanted: keys.kind)
        }
        return (file.head, try vault.open(file.description))
    }

    private static func split(
        _ content: [UInt8]
    ) throws(AuthenticatorStoreError) -> (
        kind: KeyStoreKind, head: [UInt8], description: [UInt8], sealed: [UInt8]
    ) {
        let fixed = magic.count + 3
        guard content.starts(with: magic), content.count > fixed,
            let kind = KeyStoreKind.allCases.first(where: { $0.code == content[magic.count] })
        else { throw .damaged }
        let size = Int(content[magic.count + 1]) << 8 | Int(content[magic.count + 2])
        guard content.count > fixed + size + 28 else { throw .damaged }
        return (
            kind, Array(content.prefix(fixed + size)),
            Array(content[fixed..<(fixed + size)]), Array(content.dropFirst(fixed + size))
        )
    }

    /// What was saved last; `nil` when nothing ever was.
    package func load() throws(AuthenticatorStoreError) -> AgentRecord? {
        guard StoreFile.exists(path) else { return nil }
        let file = try Self.split(try StoreFile.read(path, atMost: Self.limit))
        guard let box = try? AES.GCM.SealedBox(combined: file.sealed),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: file.head)
        else { throw .locked }
        let text = Array(plaintext)
        defer { Secret.overwrite(text) }
        guard
            let object = try? JSONParser.parseObject(
                text, maximumBytes: Self.limit, maximumDepth: 16),
            let record = try? AgentRecord(object)
        else { throw .damaged }
        return record
    }

    /// Returns only when the record would survive a loss of power.
    package func save(_ record: AgentRecord) throws(AuthenticatorStoreError) {
        let text = record.json.bytes
        defer { Secret.overwrite(text) }
        let sealed: AES.GCM.SealedBox
        do {
            sealed = try AES.GCM.seal(
                text, using: key, nonce: AES.GCM.Nonce(data: random.bytes(12)),
                authenticating: head)
        } catch { throw .damaged }
        let file = head + Array(sealed.nonce) + Array(sealed.ciphertext) + Array(sealed.tag)
        try StoreFile.write(file, to: path, on: disk)
    }
}
