// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The inspection of one message: its kind, its content and the results of all checks (`inspect
/// platform-sso`).
///
/// The checks are those of the verifiers. Comparisons with the provider's records are reported as
/// not made. All other checks are made, even after an error, so that all errors are visible.
package struct MessageInspection: Sendable {
    package enum Kind: String, Sendable {
        case loginRequest = "login_request"
        case refreshRequest = "refresh_request"
        case keyRequest = "key_request"
        case keyExchange = "key_exchange"
        case authorizationRequest = "authorization_request"
        case loginAssertion = "login_assertion"
        case encryptedLoginAssertion = "encrypted_login_assertion"
        case loginResponse = "login_response"
        case keyResponse = "key_response"
        case idToken = "id_token"
        case nonceRequest = "nonce_request"
        case nonceResponse = "nonce_response"
        /// The provider's parameters for the start of a web login.
        case webLoginStart = "web_login_start"
        /// The URL at which a web login ended.
        case webLoginCallback = "web_login_callback"
        /// An encrypted message that the given keys do not decrypt.
        case sealed
        case unknown
    }

    /// The header and the claims of the message or of its content.
    package struct Content: Sendable {
        package var header: JSONObject?
        package var claims: JSONObject?
    }

    package internal(set) var kind = Kind.unknown
    package internal(set) var message = Content()
    /// The fields of the posted form, without the message.
    package internal(set) var form: JSONObject?
    /// The assertion of a login request.
    package internal(set) var assertion: Content?
    /// The ID token of a login response.
    package internal(set) var idToken: Content?
    package internal(set) var checks: [VerificationCheck] = []
    /// The first reason to refuse it; `nil` when there is none.
    package internal(set) var refusal: PlatformSSORefusal?

    /// - Parameters:
    ///   - message: Compact JWS or JWE, alone or in its posted form; a plain response, or the URL
    ///     at which a web login ended. Surrounding white space is ignored.
    ///   - keys: All keys of the device, the person and the provider. Private ones decrypt messages
    ///     to them.
    ///   - nonce: The device's nonce, for responses without `apv` in the header.
    package init(
        of message: String, keys: [JSONWebKey], nonce: String? = nil, now: Timestamp
    ) {
        var inspector = MessageInspector(
            message: Self.trimmed(Array(message.utf8)), keys: keys, nonce: nonce, now: now)
        inspector.inspect()
        self = inspector.result
    }

    init() {}

    /// Files end with a line end, and terminals break lines, so white space is removed.
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let start = bytes.drop { space.contains($0) }
        let end = start.lastIndex { !space.contains($0) }
        return end.map { Array(start[...$0]) } ?? []
    }

    /// `{"type","form"?,"header","claims","assertion"?,"id_token"?,"checks":[{"part","check",
    /// "outcome","detail"}]}`. Passwords are left out.
    package var json: JSONValue {
        var value = JSONObject([.init(name: "type", value: .string(kind.rawValue))])
        value["form"] = form.map(Self.redacted)
        value["header"] = message.header.map(JSONValue.object)
        value["claims"] = message.claims.map(Self.redacted)
        value["assertion"] = assertion.map(Self.json)
        value["id_token"] = idToken.map(Self.json)
        value["checks"] = .array(checks.map(Self.json))
        return .object(value)
    }

    private static func json(_ content: Content) -> JSONValue {
        var value = JSONObject()
        value["header"] = content.header.map(JSONValue.object)
        value["claims"] = content.claims.map(redacted)
        return .object(value)
    }

    private static func json(_ check: VerificationCheck) -> JSONValue {
        [
            "part": .string(check.part.rawValue), "check": .string(check.name.rawValue),
            "outcome": .string(check.outcome.rawValue), "detail": .string(check.detail),
        ]
    }

    private static func redacted(_ claims: JSONObject) -> JSONValue {
        var claims = claims
        if claims["password"] != nil { claims["password"] = "[redacted]" }
        return .object(claims)
    }
}
