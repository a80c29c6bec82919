// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import Storage

/// The JSON of an installation.
package enum InstallationJSON {
    /// - Parameter isCurrent: Whether the request comes from this installation; `nil` for requests
    ///   that come from none.
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
