// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
import ProviderCore
package import Storage

/// The database of the installation.
package struct StoreAdministration: Sendable {
    private let caller: AdministrativeCaller
    private var store: any ProviderStore { caller.provider.store }

    package init(_ caller: AdministrativeCaller) { self.caller = caller }

    package func status() async throws -> StoreStatus { try await store.maintenance.status() }

    /// Writes a consistent copy into a directory.
    ///
    /// - Parameters:
    ///   - name: the name of the file in the directory.
    ///   - replacing: whether a file of that name is replaced.
    ///   - auditProject: the project of the audit event.
    /// - Returns: the path of the file.
    package func backUp(
        as name: String, in directory: String, replacing: Bool,
        recordingIn auditProject: Identifier<Project>
    ) async throws -> AdministrativeResult<String> {
        guard Self.isFileName(name) else {
            return .failure(
                .invalid(
                    "invalid_name",
                    "name must be 1 to 100 characters of A-Z, a-z, 0-9, dot, hyphen and "
                        + "underscore."))
        }
        let path = "\(directory)/\(name)"
        do {
            try await store.maintenance.backup(to: path, replacing: replacing) { _ in }
        } catch let error as StorageError where error.code == .newerSchema {
            return .failure(Self.newerSchema)
        } catch let error as StorageError where error.code == .fileExists {
            return .failure(
                .conflict(
                    "backup_exists",
                    "A backup of that name exists. Choose another name, or send replace: true."))
        }
        let details: JSONValue = ["name": .string(name), "replace": .bool(replacing)]
        try await caller.provider.audit.record(
            AuditEventDraft(
                "admin.store.backup", in: auditProject, facts: caller.facts,
                details: details.text))
        return .success(path)
    }

    private static let newerSchema = AdministrativeRefusal.conflict(
        "newer_schema",
        "A newer version has migrated the database, and this process would not copy what it added. "
            + "Back up with the newer version.")

    /// Whether the name is that of a file in the directory: no slash and no leading dot.
    private static func isFileName(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }

    /// Deletes a batch of expired rows.
    package func sweep() async throws -> SweepOutcome {
        try await store.maintenance.sweep(now: caller.facts.now, batch: 1000)
    }
}
