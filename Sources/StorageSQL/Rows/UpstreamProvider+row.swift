// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedSettings = StoredJSON<UpstreamSettings>()

extension UpstreamProvider {
    /// The last one is for conditions, and is not read: the settings contain it.
    static let columns = Columns(
        "id project_id name kind enabled settings sealed_secret created_at link_only")

    func values() throws -> [SQLValue] {
        [
            id.sqlValue, project.sqlValue, name.sqlValue, kind.rawValue.sqlValue,
            isEnabled.sqlValue, try storedSettings.encode(settings).sqlValue,
            sealedSecret.sqlValue, createdAt.sqlValue, settings.linkOnly.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), name: try row.text(),
            kind: try row.word(), isEnabled: try row.flag(),
            settings: try storedSettings.decode(row.text()),
            sealedSecret: try row.optionalBytes(), createdAt: try row.time())
    }
}
