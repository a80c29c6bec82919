// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderSettings

/// A response of an operator's identity provider. It is parsed strictly, because the service may
/// pass on untrusted data.
package struct CustomProviderResponse: Sendable, Equatable {
    enum Verdict: Sendable, Equatable {
        /// 2000 to 2999.
        case success
        /// 4000 to 4999: the person may try again.
        case retry
        /// 5000 to 5999: the registration has failed.
        case unrecoverable
    }

    /// The person at the service.
    struct User: Sendable, Equatable {
        /// Unique and never reassigned.
        let subject: String
        /// The username; the subject if the service sends none.
        let username: String
        let attributes: JSONObject
    }

    let status: Int64
    let verdict: Verdict
    /// Data for the app, in the service's format.
    let data: String?
    /// State for the service, which the next request returns.
    let state: String?
    /// Required if the last step succeeds.
    let user: User?

    /// Maximum lengths in bytes.
    static let maximumLength = 32_768
    static let maximumDataLength = 8192
    static let maximumStateLength = 4096

    /// Returns `nil` if the bytes are not a valid response.
    package init?(json: [UInt8]) {
        guard
            let object = try? JSONParser.parseObject(
                json, maximumBytes: Self.maximumLength, maximumDepth: 6),
            let status = object["status"]?.integer, let verdict = Self.verdict(of: status),
            let data = Self.text("data", of: object, upTo: Self.maximumDataLength),
            let state = Self.text("state", of: object, upTo: Self.maximumStateLength)
        else { return nil }
        self.status = status
        self.verdict = verdict
        self.data = data
        self.state = state
        guard let sent = object["user"], sent != .null else {
            user = nil
            return
        }
        guard let user = User(sent) else { return nil }
        self.user = user
    }

    private static func verdict(of status: Int64) -> Verdict? {
        switch status {
        case 2000...2999: .success
        case 4000...4999: .retry
        case 5000...5999: .unrecoverable
        default: nil
        }
    }

    /// Parses an optional string. The outer optional is `nil` if the value is invalid.
    private static func text(
        _ name: String, of object: JSONObject, upTo longest: Int
    ) -> String?? {
        guard let value = object[name], value != .null else { return .some(nil) }
        guard let text = value.string, text.utf8.count <= longest else { return .none }
        return .some(text)
    }
}

extension CustomProviderResponse.User {
    fileprivate init?(_ value: JSONValue) {
        guard let subject = value["sub"]?.string, Self.isName(subject) else { return nil }
        let name = Self.present(value["username"]) ?? .string(subject)
        var attributes = Self.present(value["attributes"]) ?? .object(JSONObject())
        // PHP encodes an empty map as a list.
        if attributes == [] { attributes = .object(JSONObject()) }
        guard let name = name.string, Self.isName(name), let attributes = attributes.object else {
            return nil
        }
        self.subject = subject
        username = name
        self.attributes = attributes
    }

    private static func present(_ value: JSONValue?) -> JSONValue? {
        value == .null ? nil : value
    }

    /// A name is stored unchanged, so it must be in normalized form.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 255 && UserName.display(name).map(name.hasSameBytes) ?? false
    }
}
