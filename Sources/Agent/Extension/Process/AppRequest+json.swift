// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import SingleSignOn

extension AppRequest {
    private static let greatestCount = 200

    package var json: JSONValue {
        var object = JSONObject([.init(name: "url", value: .string(url))])
        if !operation.isEmpty { object["operation"] = .string(operation) }
        if !headers.isEmpty { object["headers"] = Self.pairs(headers) }
        if !body.isEmpty { object["body"] = .string(Base64URL.encode(body)) }
        object["realm"] = realm.map(JSONValue.string)
        if !options.isEmpty { object["options"] = Self.pairs(options) }
        if !isUserInterfaceEnabled { object["interface_enabled"] = false }
        return .object(object)
    }

    /// `nil` unless every member that is there is of its kind. What the caller says of itself is no
    /// member: the kernel knows better.
    package init?(_ value: JSONValue?) {
        guard let value, let url = value["url"]?.string, url.utf8.count <= 65_536,
            let headers = Self.pairs(value["headers"]), let options = Self.pairs(value["options"])
        else { return nil }
        self.init(url: url)
        (self.headers, self.options) = (headers, options)
        if let operation = value["operation"] {
            guard let text = operation.string, text.utf8.count <= 4096 else { return nil }
            self.operation = text
        }
        if let realm = value["realm"] {
            guard let text = realm.string, text.utf8.count <= 4096 else { return nil }
            self.realm = text
        }
        if let body = value["body"] {
            guard let bytes = body.string.flatMap({ Base64URL.decode($0) }),
                bytes.count <= ExtensionAuthorizationRequest.maximumBodyBytes
            else { return nil }
            self.body = bytes
        }
        if let flag = value["interface_enabled"] {
            guard let isEnabled = flag.bool else { return nil }
            isUserInterfaceEnabled = isEnabled
        }
    }

    private static func pairs(_ pairs: [String: String]) -> JSONValue {
        .object(
            JSONObject(
                pairs.sorted { $0.key < $1.key }
                    .map { .init(name: $0.key, value: .string($0.value)) }))
    }

    private static func pairs(_ value: JSONValue?) -> [String: String]? {
        guard let value else { return [:] }
        guard let members = value.object?.members, members.count <= greatestCount else {
            return nil
        }
        var pairs: [String: String] = [:]
        for member in members {
            guard let text = member.value.string,
                pairs.updateValue(text, forKey: member.name) == nil
            else { return nil }
        }
        return pairs
    }
}
