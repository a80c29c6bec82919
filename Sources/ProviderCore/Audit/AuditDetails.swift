// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The details of an audit event: a small JSON object.
package enum AuditDetails {
    static let maximumBytes = 65_536

    package static func text(_ words: [String: String]) -> String {
        var object = JSONObject()
        for (name, word) in words.sorted(by: { $0.key < $1.key }) { object[name] = .string(word) }
        return JSONValue.object(object).text
    }

    /// Adds the administrator who acted, and the API token that was used, to the details.
    static func adding(_ facts: RequestMetadata, to details: String) -> String {
        guard facts.administrator != nil || facts.apiToken != nil,
            var object = try? JSONParser.parseObject(
                Array(details.utf8), maximumBytes: maximumBytes)
        else { return details }
        object["by"] = facts.administrator.map { .string($0.description) }
        if let token = facts.apiToken {
            object["api_token"] = .string(token.name)
            object["api_token_id"] = .string(token.id.description)
        }
        return JSONValue.object(object).text
    }
}
