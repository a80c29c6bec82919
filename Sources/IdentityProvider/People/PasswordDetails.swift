// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Storage

/// What a password's `details` column holds. It is written with the password and never changed: a new
/// password is a new credential.
package struct PasswordDetails: Sendable, Equatable {
    /// Whether an administrator set it as a first password. It starts no session and no grant: the
    /// person replaces it first.
    package var mustChange = false
    /// Whether the person chose it by a set-up link or an invitation.
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
    /// What is recorded of a password; `nil` of every other credential.
    package var passwordDetails: PasswordDetails? {
        kind == .password ? PasswordDetails(details) : nil
    }
}
