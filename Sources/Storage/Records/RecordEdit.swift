// SPDX-License-Identifier: Apache-2.0

/// The outcome of an edit: the record was read, changed and written back in one transaction that
/// locks its row. All outcomes except ``saved(from:to:)`` changed nothing.
package enum RecordEdit<Record: Sendable, Objection: Sendable>: Sendable {
    /// If both are equal, nothing was written.
    case saved(from: Record, to: Record)
    /// The edit refused the change.
    case refused(Objection)
    /// Another record has the name.
    case taken
    /// The last owner would be disabled.
    case lastOwner
    /// The record does not exist.
    case unknown

    /// The record after the edit; `nil` if the edit was not saved.
    package var record: Record? {
        if case .saved(_, let record) = self { record } else { nil }
    }

    package var isKept: Bool { record != nil }
}

extension RecordEdit: Equatable where Record: Equatable, Objection: Equatable {}

/// The record has changed since the edit was prepared.
package struct ChangedMeanwhile: Error, Sendable, Equatable {
    package init() {}

    /// Returns an edit that replaces `old` by `new`. It refuses if the record equals neither.
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
