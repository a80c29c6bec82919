// SPDX-License-Identifier: Apache-2.0
import Storage

private let keyOfStore = "SELECT fingerprint FROM master_keys WHERE id = 1"
private let keyRecord = """
    INSERT INTO master_keys (id, fingerprint) VALUES (1, $1) ON CONFLICT DO NOTHING
    """

/// The master key of the processes that use the store.
extension SQLMaintenance {
    func masterKeyFingerprint() async throws -> [UInt8]? {
        try await engine.query(keyOfStore).firstRecord { try $0.bytes() }
    }

    func recordMasterKey(fingerprint: [UInt8]) async throws -> [UInt8] {
        _ = try await engine.change(keyRecord, fingerprint)
        return try await masterKeyFingerprint() ?? fingerprint
    }
}
