// SPDX-License-Identifier: Apache-2.0
import Platform
import Primitives
import Synchronization
import TPM

/// The key that seals a folder's files, wherever it comes from.
///
/// What a TPM has opened is kept for as long as the file says the same: it takes a TPM a tenth of a
/// second and more.
final class DirectoryKeyProtector: Sendable {
    /// Reads a file of the folder; `nil` when there is none.
    typealias Read = @Sendable (_ file: String) throws -> [UInt8]?
    /// Replaces a file of the folder.
    typealias Replace = @Sendable (_ file: String, _ bytes: [UInt8]) throws -> Void

    static let keyFile = "store.key"
    static let tpmFile = "store.tpm"

    private let source: StoreSealingKey
    private let random: any RandomSource
    private let machine: TPMDevice
    private let opened = Mutex<(file: [UInt8], key: Secret)?>(nil)

    /// - Parameter machine: The TPM that ``StoreSealingKey/machine`` means.
    init(
        _ source: StoreSealingKey, random: any RandomSource, machine: TPMDevice = TPMDevice()
    ) {
        (self.source, self.random, self.machine) = (source, random, machine)
    }

    /// The key to open with; `nil` when nothing was ever sealed here.
    func existing(_ read: Read) async throws -> RecordSeal? {
        switch source {
        case .provided(let provide): return try Self.seal(Secret(try await provide()))
        case .besideRecords: return try read(Self.keyFile).map { try Self.seal(Secret($0)) }
        case .tpm(let path): return try await existing(TPMDevice(path: path), read)
        case .machine:
            if let key = try read(Self.keyFile) { return try Self.seal(Secret(key)) }
            return try await existing(machine, read)
        }
    }

    /// Creates the key. The caller has the directory's lock, and has found no key.
    func make(_ replace: Replace) async throws -> RecordSeal? {
        let key = Secret(random.bytes(32))
        switch source {
        case .provided: return nil
        case .besideRecords: try replace(Self.keyFile, key.reveal())
        case .tpm(let path): try await seal(key, with: TPMDevice(path: path), replace)
        case .machine:
            // If a TPM exists and fails, that is an error: a key file would replace it permanently.
            if machine.isThere {
                try await seal(key, with: machine, replace)
            } else {
                try replace(Self.keyFile, key.reveal())
            }
        }
        return try Self.seal(key)
    }

    // MARK: TPM

    private func existing(_ tpm: TPMDevice, _ read: Read) async throws -> RecordSeal? {
        guard let file = try read(Self.tpmFile) else { return nil }
        if let known = opened.withLock({ $0?.file == file ? $0?.key : nil }) {
            return try Self.seal(known)
        }
        guard let object = TPMObject.decode(file, count: 1)?.first else {
            throw StoreError.damaged("\(Self.tpmFile) is not what a TPM has sealed")
        }
        let key = try await StoreError.asking { () throws(TPMError) in try tpm.unseal(object) }
        opened.withLock { $0 = (file, key) }
        return try Self.seal(key)
    }

    private func object(_ key: Secret, _ tpm: TPMDevice) async throws -> TPMObject {
        try await StoreError.asking { () throws(TPMError) in try tpm.seal(key) }
    }

    private func seal(_ key: Secret, with tpm: TPMDevice, _ replace: Replace) async throws {
        try save(key, try await object(key, tpm), replace)
    }

    private func save(_ key: Secret, _ sealed: TPMObject, _ replace: Replace) throws {
        try replace(Self.tpmFile, sealed.encoded)
        opened.withLock { $0 = (sealed.encoded, key) }
    }

    private static func seal(_ key: Secret) throws -> RecordSeal {
        guard key.withBytes({ $0.count }) == 32 else {
            throw StoreError.damaged("the sealing key is not 32 bytes")
        }
        return RecordSeal(key)
    }
}

extension StoreError {
    /// Calls a TPM on a thread that may block, and converts its errors to those of a store.
    static func asking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TPMError) -> Value
    ) async throws -> Value {
        do { return try await BlockingCall.run { try body() } } catch {
            throw StoreError(asked: error)
        }
    }

    private init(asked error: any Error) {
        self =
            switch error {
            case TPMError.foreign: .damaged("another TPM has sealed it, or it was changed since")
            case TPMError.system(let call, let code):
                .unavailable("the TPM cannot be reached: \(call) failed with \(code)")
            case TPMError.refused(let code):
                .unavailable("the TPM refused with 0x\(Hexadecimal.text(code))")
            default: .unavailable("the TPM cannot be used: \(error)")
            }
    }
}
