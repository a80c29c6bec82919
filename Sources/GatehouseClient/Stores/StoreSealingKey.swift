// SPDX-License-Identifier: Apache-2.0

/// Where the key comes from that seals the files of a store.
public enum StoreSealingKey: Sendable {
    /// A TPM 2.0 of this machine's that this process may use, and a file beside the others where
    /// there is none. A folder keeps what it began with: one that a TPM has sealed is never opened
    /// without it, and none is sealed anew because a TPM has appeared.
    case machine
    /// A TPM 2.0: the key is beside the records in a form that this TPM alone opens, once for each
    /// process. Whoever copies the folder has nothing.
    ///
    /// The path is that of the device, usually `/dev/tpmrm0`, or of a software TPM's Unix socket.
    case tpm(path: String)
    /// A file beside the others, made at first use. It keeps the records apart from whoever gets a
    /// single one of them, and shows what was changed; whoever copies the whole folder has all.
    case besideRecords
    /// 32 bytes from elsewhere: handed over by the system's key ring, for example.
    case provided(@Sendable () async throws -> [UInt8])
}
