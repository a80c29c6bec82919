// SPDX-License-Identifier: Apache-2.0

/// The store for an installation's profiles, tokens and sealed PIN secrets.
///
/// Small named records, replaced whole. What a store must do is written down as tests:
/// `SecureStoreConformance` of the product `GatehouseTesting` runs them against yours.
///
/// - ``write(_:to:)`` is all or nothing, and done when it returns.
/// - A failure throws ``StoreError``. "There is nothing" and "I cannot look" are different answers:
///   `nil` is the first alone, so that a locked device is never taken for one that was signed out.
/// - Writing may fail. Tokens that were just renewed then live in the memory of their process alone,
///   which asks for no further ones before they are written: the provider is never more than one
///   step ahead of the store, and repeats that step to every process that has the key.
/// - A record that others have changed is ``StoreError/damaged(_:)``, not `nil`.
/// - ``withLock(_:_:)`` excludes every other holder of that name: other tasks, and other processes
///   that use the same store. Declare its closure exactly as here, with `nonisolated(nonsending)`:
///   otherwise your store does not conform.
public protocol SecureStore: Sendable {
    /// The record, or `nil` when there is none.
    func read(_ name: RecordName) async throws -> [UInt8]?

    /// Inserts or replaces the record.
    func write(_ bytes: [UInt8], to name: RecordName) async throws

    /// Removes the record; nothing happens when there is none.
    func remove(_ name: RecordName) async throws

    /// The names of all records, in any order.
    func names() async throws -> [RecordName]

    /// Runs `body` while no other task or process has the lock of that name. The lock of a process
    /// that ends is released. It is not recursive. A task that is cancelled while it waits stops
    /// waiting, with `CancellationError`.
    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: nonisolated(nonsending) @Sendable () async throws -> Value
    ) async throws -> Value

    /// Runs `body` if the lock is free now; returns `nil` without running it otherwise.
    ///
    /// A store need not have it: `nil` each time is right as well. What an app leaves behind that
    /// dies in the middle of something is then found later, or not at all.
    func withLockIfFree<Value: Sendable>(
        _ name: RecordName, _ body: nonisolated(nonsending) @Sendable () async throws -> Value
    ) async throws -> Value?
}

extension SecureStore {
    /// Cannot tell.
    public func withLockIfFree<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? { nil }
}

/// The name of a record or key: 1 to 100 of `a-z`, `0-9`, `.`, `_` and `-`; the first character is
/// one of `a-z`.
public struct RecordName: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name as it is written.
    public let rawValue: String

    /// `nil` for a name that cannot be.
    public init?(rawValue: String) {
        guard (1...100).contains(rawValue.utf8.count),
            let first = rawValue.utf8.first, Self.letters.contains(first),
            rawValue.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a name from parts that the SDK defines.
    init(_ kind: StaticString, _ part: String = "") {
        rawValue = part.isEmpty ? "\(kind)" : "\(kind).\(part)"
    }

    /// Creates a name that is written in the source. For tests.
    package init(testing text: StaticString) { rawValue = "\(text)" }

    /// A text for logs, without a secret.
    public var description: String { rawValue }

    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    private static func isAllowed(_ letter: UInt8) -> Bool {
        letters.contains(letter) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
            || "._-".utf8.contains(letter)
    }
}

/// The reason that a store or key store has failed. No data was lost.
public enum StoreError: Error, Sendable, Hashable {
    /// The store cannot be read or written now: a full disk, or a missing permission.
    case unavailable(String)
    /// The device is locked, and the content with it: after it is unlocked it is there again.
    case locked(String)
    /// The content is there and is not what was written.
    case damaged(String)

    var isDamage: Bool { if case .damaged = self { true } else { false } }
}

extension IdentityError {
    /// Converts the error of a store.
    init(store error: any Error) {
        switch error {
        case let error as IdentityError: self = error
        case StoreError.unavailable(let text):
            self.init(.generic, .storageUnavailable, text, underlying: error)
        case StoreError.locked(let text):
            self.init(.generic, .protectedDataUnavailable, text, underlying: error)
        case StoreError.damaged(let text):
            self.init(.generic, .storageDamaged, text, underlying: error)
        case is CancellationError:
            self.init(.generic, .cancelled, "the task was cancelled", underlying: error)
        default:
            self.init(
                .generic, .storageUnavailable, "the store failed: \(error)", underlying: error)
        }
    }
}
