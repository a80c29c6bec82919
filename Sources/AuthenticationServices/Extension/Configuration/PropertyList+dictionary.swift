// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

extension [PropertyList.Entry] {
    /// The property list in Foundation's form.
    var dictionary: [String: Any] {
        Dictionary(map { ($0.name, $0.value.object) }) { first, _ in first }
    }
}

extension PropertyList {
    fileprivate var object: Any {
        switch self {
        case .string(let value): value
        case .integer(let value): Int(value)
        case .real(let value): value
        case .boolean(let value): value
        case .date(let value): Date(timeIntervalSince1970: Double(value.milliseconds) / 1000)
        case .data(let value): Data(value)
        case .array(let values): values.map(\.object)
        case .dictionary(let entries): entries.dictionary
        }
    }
}
