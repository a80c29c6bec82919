// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// Replaces single fields of a record. A field is replaced only if its value is still the one that
/// was read.
///
/// Concurrent changes of other fields are preserved.
package struct FieldEdit<Record: Sendable>: Sendable {
    package let old: Record
    package let new: Record
    private let fields: [RecordField<Record>]

    /// - Parameter marks: the field that a flag such as `email_verified` refers to. The two fields
    ///   are changed together or not at all.
    package init(
        _ fields: [RecordField<Record>], marks: [String: String] = [:], from old: Record,
        to new: Record
    ) {
        (self.old, self.new) = (old, new)
        func subject(_ field: RecordField<Record>) -> String { marks[field.name] ?? field.name }
        let changed = Set(fields.filter { $0.read(old) != $0.read(new) }.map(subject))
        self.fields = fields.filter { changed.contains(subject($0)) }
    }

    func apply(to record: inout Record) -> ChangedMeanwhile? {
        for field in fields {
            let (now, wanted) = (field.read(record), field.read(new))
            if now == wanted { continue }
            guard now == field.read(old), field.write(wanted ?? .null, &record) == nil else {
                return ChangedMeanwhile()
            }
        }
        return nil
    }
}

extension FieldEdit<Person> {
    package func apply(to person: inout Person, at now: Timestamp) -> ChangedMeanwhile? {
        let claims = person.claims
        if let objection = apply(to: &person) { return objection }
        if person.claims != claims { person.claims.updatedAt = now.seconds }
        return nil
    }
}
