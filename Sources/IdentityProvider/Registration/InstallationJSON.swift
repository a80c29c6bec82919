// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import Storage

/// An app installation as JSON, for the account of a person and for the Admin API.
package enum InstallationJSON {
    /// - Parameter isCurrent: whether the request comes from this installation; `nil` where that
    ///   does not apply.
    package static func object(
        _ installation: Installation, isCurrent: Bool? = nil
    ) -> JSONValue {
        var object = JSONObject()
        object["id"] = .string(installation.id.description)
        object["name"] = .string(installation.name)
        object["method"] = .string(installation.method)
        object["has_key"] = .bool(installation.credential != nil)
        object["has_pin"] = .bool(installation.hasPIN)
        object["registered_at"] = .string(installation.createdAt.rfc3339)
        object["current"] = isCurrent.map(JSONValue.bool)
        return .object(object)
    }
}
