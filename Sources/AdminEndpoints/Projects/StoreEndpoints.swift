// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
package import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
package import Storage

/// The directory of this process for backups that the Admin API makes.
package struct BackupDirectory: Sendable {
    let path: String
    /// The host that has it: of several processes, only the one that responds writes the file.
    let host: String

    package init(path: String, host: String) {
        self.path = path
        self.host = host
    }
}

/// `/store`: what the database holds, a backup, a sweep.
struct StoreEndpoints: Sendable {
    let provider: Provider
    let backups: BackupDirectory?

    func status(_ call: AdminRequest) async throws -> AdminResponse {
        .value(try await store(call).status().json)
    }

    func backup(_ call: AdminRequest) async throws -> AdminResponse {
        guard let backups else {
            return .refused(
                AdministrativeRefusal(
                    .conflict, "no_backup_folder", "This server has no directory for backups."))
        }
        guard let replaces = call.flag("replace") else {
            return .invalid("invalid_replace", "replace must be true or false.")
        }
        let path = try await store(call).backUp(
            as: call.body["name"]?.string ?? "", in: backups.path, replacing: replaces,
            recordingIn: call.request.tenant.project.id)
        return AdminResponse(path) {
            .value(["path": .string($0), "host": .string(backups.host)], .created)
        }
    }

    func sweep(_ call: AdminRequest) async throws -> AdminResponse {
        let outcome = try await store(call).sweep()
        return .value([
            "deleted": .integer(Int64(outcome.deleted)),
            "lag_seconds": .integer(outcome.lag.seconds),
        ])
    }

    private func store(_ call: AdminRequest) -> StoreAdministration {
        StoreAdministration(call.caller(provider))
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
