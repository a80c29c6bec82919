// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A store in one encrypted file.
///
///     "GHSK" ‖ 1 ‖ length of the description (2) ‖ description of the vault
///     ‖ nonce (12) ‖ AES-256-GCM(state) ‖ tag (16)
///
/// Everything before the nonce is authenticated with the state. Who can write the file can put an
/// older copy of it in its place, and with it older counters: what forbids that is hardware.
///
/// Opening takes a lock beside the file, so that two processes never count in one store.
package final class SealedFileStore: AuthenticatorStore {
    private static let magic: [UInt8] = Array("GHSK".utf8) + [1]
    private static let limit = 2 << 20

    private let path: String
    private let random: any RandomSource
    private let probe: DurableFile.Probe?
    private let lock: Int32
    private let opened: Opened

    private struct Opened: Sendable {
        let head: [UInt8]
        let key: SymmetricKey
    }

    /// Opens the store, or prepares a new one: the file itself appears with the first save. Blocks.
    ///
    /// - Parameters:
    ///   - random: draws keys and nonces.
    ///   - probe: stops a write half-way, in tests.
    package init(
        path: String, vault: some KeyVault, random: any RandomSource,
        probe: DurableFile.Probe? = nil
    ) throws(AuthenticatorStoreError) {
        self.path = path
        self.random = random
        self.probe = probe
        let lock = try Self.lock(path + ".lock")
        do {
            opened = try Self.opened(path, vault, random)
        } catch {
            close(lock)
            throw error
        }
        self.lock = lock
    }

    deinit { close(lock) }

    private static func lock(_ path: String) throws(AuthenticatorStoreError) -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(call: "open", code: errno) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(file)
            throw code == EWOULDBLOCK ? .inUse : .system(call: "flock", code: code)
        }
        return file
    }

    private static func opened(
        _ path: String, _ vault: some KeyVault, _ random: any RandomSource
    ) throws(AuthenticatorStoreError) -> Opened {
        guard DurableFile.exists(path) else {
            let (key, description) = try vault.create(random: random)
            guard let length = UInt16(exactly: description.count) else { throw .damaged }
            let size = [UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
            return Opened(head: magic + size + description, key: key)
        }
        let (head, description, _) = try split(try DurableFile.read(path, atMost: limit))
        return Opened(head: head, key: try vault.open(description))
    }

    private static func split(
        _ content: [UInt8]
    ) throws(AuthenticatorStoreError) -> (
        head: [UInt8], description: [UInt8], sealed: ArraySlice<UInt8>
    ) {
        guard content.starts(with: magic), content.count > magic.count + 2 else { throw .damaged }
        let size = content.dropFirst(magic.count).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let rest = content.dropFirst(magic.count + 2)
        guard rest.count > size + 28 else { throw .damaged }
        return (
            Array(content.prefix(magic.count + 2 + size)), Array(rest.prefix(size)),
            rest.dropFirst(size)
        )
    }

    package func load() throws(AuthenticatorStoreError) -> AuthenticatorState? {
        guard DurableFile.exists(path) else { return nil }
        let (head, _, sealed) = try Self.split(try DurableFile.read(path, atMost: Self.limit))
        guard let box = try? AES.GCM.SealedBox(combined: Array(sealed)),
            let state = try? AES.GCM.open(box, using: opened.key, authenticating: head)
        else { throw .locked }
        return try AuthenticatorState(cbor: Array(state))
    }

    package func save(_ state: AuthenticatorState) throws(AuthenticatorStoreError) {
        let sealed: AES.GCM.SealedBox
        do {
            sealed = try AES.GCM.seal(
                state.encode(), using: opened.key, nonce: AES.GCM.Nonce(data: random.bytes(12)),
                authenticating: opened.head)
        } catch { throw .damaged }
        let content = opened.head + Array(sealed.nonce) + Array(sealed.ciphertext) + sealed.tag
        try DurableFile.write(content, to: path, probe: probe)
    }
}
