// SPDX-License-Identifier: Apache-2.0

/// What has become of an edit: a record was read, changed and written back in one transaction that
/// holds its row. Everything but ``kept(from:to:)`` has changed nothing.
package enum RecordEdit<Record: Sendable, Objection: Sendable>: Sendable {
    /// Where both are equal nothing was written.
    case kept(from: Record, to: Record)
    /// The edit itself refused.
    case refused(Objection)
    /// Another record has the name.
    case taken
    /// The last owner would be disabled.
    case lastOwner
    /// There is no such record.
    case unknown

    /// The record as it is now; `nil` when the edit was not kept.
    package var record: Record? {
        if case .kept(_, let record) = self { record } else { nil }
    }

    package var isKept: Bool { record != nil }
}

extension RecordEdit: Equatable where Record: Equatable, Objection: Equatable {}

/// The record is not what the edit was made for any more.
package struct ChangedMeanwhile: Error, Sendable, Equatable {
    package init() {}

    /// An edit that puts `new` in the place of `old`. It refuses where the record is neither.
    package static func unless<Record: Equatable & Sendable>(
        _ old: Record, becomes new: Record
    ) -> @Sendable (inout Record) -> ChangedMeanwhile? {
        { record in
            guard record == old || record == new else { return ChangedMeanwhile() }
            record = new
            return nil
        }
    }
}
