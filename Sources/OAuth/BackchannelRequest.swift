// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A backchannel authentication request: OpenID Connect Client-Initiated Backchannel Authentication
/// Flow (CIBA) Core 1.0 section 7.1, in poll mode, with two Gatehouse parameters. It is not
/// verified.
package struct BackchannelRequest: Sendable, Equatable {
    /// The person of the request.
    package enum Hint: Sendable, Equatable {
        /// `login_hint`: a user name or a person's identifier.
        case login(String)
        /// `id_token_hint`: an ID token that the client received.
        case idToken(String)
        /// `approval_code=true`, a Gatehouse parameter: the person who submits the code of the
        /// response, which a browser displays.
        case code
    }

    package let hint: Hint
    package let scope: String
    /// `binding_message`.
    package let message: String
    /// `transaction_text`, ours: what the person signs.
    package let transaction: String
    /// `requested_expiry`, in seconds.
    package let expiry: Int64?

    /// Bytes of UTF-8.
    package static let maximumMessageLength = 256
    /// Bytes of UTF-8.
    package static let maximumTransactionLength = 4096

    package enum ParseError: Error, Equatable {
        /// Section 13, `invalid_request`.
        case invalid(String)
        /// Section 13, `invalid_binding_message`: too long, or with control characters.
        case invalidMessage(String)
    }

    /// One of our own, of which nothing has to be checked.
    package init(asking person: String, scope: String, message: String) {
        hint = .login(person)
        self.scope = scope
        self.message = message
        transaction = ""
        expiry = nil
    }

    package init(form: [String: String]) throws(ParseError) {
        for name in ["login_hint_token", "request", "client_notification_token", "user_code"]
        where form[name] != nil {
            throw .invalid("\(name) is not supported")
        }
        hint = try Self.hint(form)
        scope = form["scope"] ?? ""
        message = try Self.text(
            "binding_message", form, longest: Self.maximumMessageLength, linesAllowed: false)
        transaction = try Self.text(
            "transaction_text", form, longest: Self.maximumTransactionLength, linesAllowed: true)
        guard let text = form["requested_expiry"] else {
            expiry = nil
            return
        }
        guard text.utf8.count <= 6, let seconds = Int64(text), seconds > 0 else {
            throw .invalid("requested_expiry must be a number of seconds")
        }
        expiry = seconds
    }

    private static func hint(_ form: [String: String]) throws(ParseError) -> Hint {
        var hints: [Hint] = []
        if let text = form["login_hint"], !text.isEmpty { hints.append(.login(text)) }
        if let text = form["id_token_hint"], !text.isEmpty { hints.append(.idToken(text)) }
        if let text = form["approval_code"] {
            guard text == "true" else { throw .invalid("approval_code must be true") }
            hints.append(.code)
        }
        guard hints.count == 1 else {
            throw .invalid("exactly one of login_hint, id_token_hint and approval_code is needed")
        }
        return hints[0]
    }

    private static func text(
        _ name: String, _ form: [String: String], longest: Int, linesAllowed: Bool
    ) throws(ParseError) -> String {
        let text = form[name] ?? ""
        guard text.utf8.count <= longest else {
            throw .invalidMessage("\(name) is longer than \(longest) bytes")
        }
        // Nothing that reorders or hides what a person reads.
        let isReadable = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: linesAllowed && scalar == "\n"
            case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            default: true
            }
        }
        guard isReadable else {
            throw .invalidMessage("\(name) has characters that cannot be shown")
        }
        return text
    }
}

/// CIBA Core 1.0 section 7.3.
package struct BackchannelResponse: Sendable, Equatable {
    package var requestID: String
    /// Seconds.
    package var expiresIn: Int64
    /// Seconds.
    package var interval: Int64
    /// As shown: `XXXX-XXXX`; `nil` where the person is known.
    package var approvalCode: String?
    /// The content of a QR code: the app's URL with the code as its parameter `approval_code`;
    /// `nil` if the project has none.
    package var approvalURI: String?

    package init(
        requestID: String, expiresIn: Int64, interval: Int64, approvalCode: String? = nil,
        approvalURI: String? = nil
    ) {
        self.requestID = requestID
        self.expiresIn = expiresIn
        self.interval = interval
        self.approvalCode = approvalCode
        self.approvalURI = approvalURI
    }

    package var json: [UInt8] {
        var object = JSONWriter()
        object.member("auth_req_id", requestID)
        object.member("expires_in", expiresIn)
        object.member("interval", interval)
        object.member("approval_code", ifPresent: approvalCode)
        object.member("approval_uri", ifPresent: approvalURI)
        return object.finish()
    }
}
