// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

extension PropertyList {
    /// The JSON form of declarations: data become Base64, dates RFC 3339.
    package var json: JSONValue {
        switch self {
        case .string(let value): .string(value)
        case .integer(let value): .integer(value)
        case .real(let value): .number(value)
        case .boolean(let value): .bool(value)
        case .date(let value): .string(value.rfc3339)
        case .data(let value): .string(Base64.encode(value))
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let entries):
            .object(
                JSONObject(entries.map { JSONObject.Member(name: $0.name, value: $0.value.json) }))
        }
    }
}
