// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Platform
package import Primitives
import Synchronization

/// A store in one encrypted file.
///
///     "GHSK" ‖ 1 ‖ length of the description (2) ‖ description of the vault
///     ‖ nonce (12) ‖ AES-256-GCM(state) ‖ tag (16)
///
/// Everything before the nonce is authenticated with the state. A process that can write the file
/// can restore an older copy of it, with an older PIN and more attempts; only hardware prevents
/// that. If the vault has a ``MonotonicCounter``, the state is preceded by its value in eight
/// bytes. The value rises with every change that an attacker could want to undo, and a file with a
/// lower value is refused.
///
/// A lock file next to the store excludes a second process.
package final class SealedFileStore: AuthenticatorStore {
    private static let magic: [UInt8] = Array("GHSK".utf8) + [1]
    private static let limit = 2 << 20

    private let path: String
    private let random: any RandomSource
    private let disk: any Disk
    private let lock: FileLock
    private let opened: Opened

    /// The state that was last saved or loaded, with its counter value.
    private let latest = Mutex<Saved?>(nil)

    private struct Opened: Sendable {
        let head: [UInt8]
        let key: SymmetricKey
        let counter: (any MonotonicCounter)?
    }

    private struct Saved {
        let state: AuthenticatorState
        let count: UInt64
    }

    /// Opens the store, or prepares a new one: the file itself appears with the first save. Blocks.
    ///
    /// - Parameters:
    ///   - random: draws keys and nonces.
    ///   - disk: Where it is written; another one in tests.
    package init(
        path: String, vault: some KeyProtector, random: any RandomSource,
        disk: any Disk = SystemDisk()
    ) throws(AuthenticatorStoreError) {
        self.path = path
        self.random = random
        self.disk = disk
        lock = try StoreFile.lock(path + ".lock")
        opened = try Self.opened(path, vault, random)
    }

    private static func opened(
        _ path: String, _ vault: some KeyProtector, _ random: any RandomSource
    ) throws(AuthenticatorStoreError) -> Opened {
        guard StoreFile.exists(path) else {
            let (key, description) = try vault.create(random: random)
            guard let length = UInt16(exactly: description.count) else { throw .damaged }
            let size = [UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
            return Opened(
                head: magic + size + description, key: key,
                counter: vault.counter(description, key: key))
        }
        let (head, description, _) = try split(try StoreFile.read(path, atMost: limit))
        let key = try vault.open(description)
        return Opened(head: head, key: key, counter: vault.counter(description, key: key))
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

    // MARK: Loading

    package func load() throws(AuthenticatorStoreError) -> AuthenticatorState? {
        guard StoreFile.exists(path) else { return nil }
        let (head, _, sealed) = try Self.split(try StoreFile.read(path, atMost: Self.limit))
        guard let box = try? AES.GCM.SealedBox(combined: Array(sealed)),
            var plaintext = try? AES.GCM.open(box, using: opened.key, authenticating: head)
        else { throw .locked }
        let content = Secret(wiping: &plaintext)
        guard let counter = opened.counter else { return try AuthenticatorState(cbor: content) }
        let (count, encoded) = try Self.counted(content)
        try Self.check(count, counter)
        let state = try AuthenticatorState(cbor: encoded)
        latest.withLock { $0 = Saved(state: state, count: count) }
        return state
    }

    private static func counted(
        _ content: Secret
    ) throws(AuthenticatorStoreError) -> (count: UInt64, state: Secret) {
        try content.withBytes { (bytes) throws(AuthenticatorStoreError) in
            guard bytes.count > 8 else { throw .damaged }
            return (
                bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, Secret(bytes.dropFirst(8))
            )
        }
    }

    /// The file is written before the counter rises, so it may be one ahead: then the power went
    /// between the two, and what was written counts.
    private static func check(
        _ count: UInt64, _ counter: any MonotonicCounter
    ) throws(AuthenticatorStoreError) {
        let value = try counter.value()
        if count == value { return }
        guard value < count, count - value == 1 else { throw .rolledBack }
        try counter.increment()
    }

    // MARK: Saving

    /// Writes the file, then increments the counter, then returns. An attacker who removes the
    /// power in between can restore the old file, but gained no information: a PIN is compared
    /// after its attempt was saved.
    package func save(_ state: AuthenticatorState) throws(AuthenticatorStoreError) {
        guard let counter = opened.counter else { return try write(state.encode()) }
        let before = latest.withLock { $0 }
        let rises = before.map { state.mustNotFallBack(to: $0.state) } ?? true
        let (next, overflow) = try last(before, counter).addingReportingOverflow(rises ? 1 : 0)
        guard !overflow else { throw .tpmProtocol }
        var content = (0..<8).map { UInt8(truncatingIfNeeded: next >> (56 - 8 * UInt64($0))) }
        let encoded = state.encode()
        encoded.withBytes {
            content.reserveCapacity(8 + $0.count)
            content += $0
        }
        try write(Secret(wiping: &content))
        if rises { try counter.increment() }
        latest.withLock { $0 = Saved(state: state, count: next) }
    }

    private func last(
        _ saved: Saved?, _ counter: any MonotonicCounter
    ) throws(AuthenticatorStoreError) -> UInt64 {
        if let saved { return saved.count }
        return try counter.value()
    }

    private func write(_ content: Secret) throws(AuthenticatorStoreError) {
        let sealed: AES.GCM.SealedBox
        do {
            sealed = try content.withBytes {
                try AES.GCM.seal(
                    $0, using: opened.key, nonce: AES.GCM.Nonce(data: random.bytes(12)),
                    authenticating: opened.head)
            }
        } catch { throw .damaged }
        let file = opened.head + Array(sealed.nonce) + Array(sealed.ciphertext) + sealed.tag
        try StoreFile.write(file, to: path, on: disk)
    }
}
