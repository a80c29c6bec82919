// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
package import JOSE
import Primitives
package import Storage

/// `/store`: what the database holds, a backup, a sweep.
struct StoreEndpoints: Sendable {
    private let provider: Provider
    private let backupDirectory: String?

    init(_ provider: Provider, backupDirectory: String?) {
        self.provider = provider
        self.backupDirectory = backupDirectory
    }

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, "/store", "showStore", "Engine, schema version, rows and size.",
                answer: "StoreStatus"
            ) { _ in .value(try await provider.store.maintenance.status().json) },
            AdminEndpoint(
                .post, "/store/backup", "backUpStore",
                "Writes a consistent copy into the backup directory of the server.",
                body: "BackupName", answer: "Backup", statuses: [.created], run: backup),
            AdminEndpoint(
                .post, "/store/sweep", "sweepStore", "Deletes a batch of expired rows now.",
                answer: "Sweep", run: sweep),
        ]
    }

    private func backup(_ call: AdminRequest) async throws -> AdminResponse {
        guard let backupDirectory else {
            return .refused(
                .conflict, code: "no_backup_folder", "This server has no directory for backups.")
        }
        guard let name = call.body["name"]?.string, Self.isFileName(name) else {
            return .refused(
                .unprocessableContent, code: "invalid_name",
                "name must be 1 to 100 characters of A-Z, a-z, 0-9, dot, hyphen and underscore.")
        }
        let path = "\(backupDirectory)/\(name)"
        try await provider.store.maintenance.backup(to: path) { _ in }
        try await provider.audit.record(
            AuditEventDraft(
                "admin.store.backup", in: call.request.tenant.project.id, facts: call.facts,
                details: (["name": .string(name)] as JSONValue).text))
        return .value(["path": .string(path)], .created)
    }

    /// Stays in its folder: no slash, no leading dot.
    private static func isFileName(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }

    private func sweep(_ call: AdminRequest) async throws -> AdminResponse {
        let outcome = try await provider.store.maintenance.sweep(now: call.facts.now, batch: 1000)
        return .value([
            "deleted": .integer(Int64(outcome.deleted)),
            "lag_seconds": .integer(outcome.lag.seconds),
        ])
    }
}

extension StoreStatus {
    package var json: JSONValue {
        let counts = rows.sorted { $0.key < $1.key }
            .map { JSONObject.Member(name: $0.key, value: .integer(Int64($0.value))) }
        return [
            "engine": .string(engine), "schema_version": .integer(Int64(schemaVersion)),
            "latest_schema_version": .integer(Int64(latestSchemaVersion)),
            "pending_steps": .array(pendingSteps.map(JSONValue.string)),
            "rows": .object(JSONObject(counts)), "bytes": .integer(bytes),
        ]
    }
}
