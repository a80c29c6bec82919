// SPDX-License-Identifier: Apache-2.0

/// The source of the key that seals the files of a store.
public enum StoreSealingKey: Sendable {
    /// A TPM 2.0 that this process may use, or a file in the same directory if there is none. A
    /// directory retains its first choice: records that a TPM has sealed need that TPM, and a TPM
    /// that is added later is not used.
    case machine
    /// A TPM 2.0. The directory contains the key, encrypted for that TPM, which decrypts it once
    /// for each process. A copy of the directory cannot be read.
    ///
    /// The path is that of the device, usually `/dev/tpmrm0`, or of a software TPM's Unix socket.
    case tpm(path: String)
    /// A file in the same directory, created at first use. It protects a single copied record and
    /// detects changes. A copy of the whole directory can be read.
    case besideRecords
    /// 32 bytes from the app, for example from the system's key ring.
    case provided(@Sendable () async throws -> [UInt8])
}
