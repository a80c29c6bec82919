// SPDX-License-Identifier: Apache-2.0

/// A dictionary of a profile as a value: read and written by its table of keys.
package protocol ProfileRecord: ProfileValue, Equatable {
    init()

    /// The table, in the order in which keys are written.
    static var keys: [ProfileKey<Self>] { get }
}

extension ProfileRecord {
    package static var form: KeyForm { .dictionary(descriptions) }
    package static var descriptions: [KeyDescription] { keys.map(\.description) }

    package init?(propertyList value: PropertyList) {
        guard let entries = value.entries else { return nil }
        self.init(entries: entries)
    }

    /// Creates a record from the known entries and ignores others.
    package init(entries: [PropertyList.Entry]) {
        self.init()
        for key in Self.keys {
            if let entry = entries.first(where: { $0.name == key.description.name }) {
                key.load(entry.value, &self)
            }
        }
    }

    package var propertyList: PropertyList { .dictionary(entries) }

    /// The set entries, in the order of the table.
    package var entries: [PropertyList.Entry] {
        Self.keys.compactMap { key in
            key.store(self).map { PropertyList.Entry(key.description.name, $0) }
        }
    }

    /// The same with the table's defaults for absent entries.
    package var withDefaults: Self {
        var copy = self
        for key in Self.keys {
            if let standard = key.description.standard, key.store(copy) == nil {
                key.load(standard, &copy)
            }
        }
        return copy
    }
}
