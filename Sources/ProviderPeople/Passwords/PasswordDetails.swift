// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Storage

/// The content of the `details` column of a password. It is written with the password and never
/// changed: a new password is a new credential.
package struct PasswordDetails: Sendable, Equatable {
    /// Whether an administrator set it as a first password. It starts no session and no grant: the
    /// person must replace it.
    package var mustChange = false
    /// Whether the person chose it with a set-up link or an invitation.
    package var isByLink = false

    package init(mustChange: Bool = false, isByLink: Bool = false) {
        self.mustChange = mustChange
        self.isByLink = isByLink
    }

    package init(_ json: String) {
        let object = try? JSONParser.parseObject(Array(json.utf8), maximumBytes: 4096)
        mustChange = object?["must_change"]?.bool ?? false
        isByLink = object?["by_link"]?.bool ?? false
    }

    package var json: String {
        var object = JSONObject()
        if mustChange { object["must_change"] = true }
        if isByLink { object["by_link"] = true }
        return JSONValue.object(object).text
    }
}

extension Credential {
    /// The details of a password; `nil` for other credentials.
    package var passwordDetails: PasswordDetails? {
        kind == .password ? PasswordDetails(details) : nil
    }
}
