// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The records of a project in order of creation, and by the prefix of a name.
package protocol SearchableRecords<Record>: Sendable {
    associatedtype Record: PrefixSearchable

    func page(after last: Identifier<Record>?, limit: Int) async throws -> [Record]
    func page(
        by name: Record.SearchName, startingWith text: String, after last: SearchCursor<Record>?,
        limit: Int
    ) async throws -> [Record]
}
