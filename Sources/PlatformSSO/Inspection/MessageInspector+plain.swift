// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Messages without a signature or encryption: posted forms, the provider's plain responses, and
/// the URL at which a web login ends.
extension MessageInspector {
    /// Inspects a plain message. Returns whether it was one.
    mutating func plain() throws(PlatformSSORefusal) -> Bool {
        let text = String(decoding: message, as: UTF8.self)
        if message.first == UInt8(ascii: "{") {
            try answer()
        } else if text.hasPrefix(WebLoginCallback.address) || text.hasPrefix("http://") {
            try callback(text)
        } else if let fields = Self.form(text) {
            try form(fields)
        } else {
            return false
        }
        return true
    }

    /// Returns the fields of a device's form, which always contains its grant; `nil` for other
    /// text.
    private static func form(_ text: String) -> [FormField]? {
        guard let fields = QueryText.fields(text),
            fields.contains(where: { $0.name == "grant_type" })
        else { return nil }
        return fields
    }

    /// Makes the form's checks and then those of its message, even if the form is invalid.
    private mutating func form(_ fields: [FormField]) throws(PlatformSSORefusal) {
        var sheet = VerificationReport(.checkAll)
        sheet.part = .form
        let read = try sheet.attempt(.content) { () throws(PlatformSSORefusal) in
            try RequestForm(fields)
        }
        adopt(sheet)
        let carriers: Set<String> = ["assertion", "request"]
        result.form = Self.object(fields.filter { !carriers.contains($0.name) })
        let inner: String?
        switch read {
        case .nonce:
            result.kind = .nonceRequest
            return
        case .request(_, let text): inner = text
        case nil: inner = fields.first { carriers.contains($0.name) }?.value
        }
        guard let inner else { return }
        message = Array(inner.utf8)
        try compact()
        try version(read)
    }

    private mutating func version(_ form: RequestForm?) throws(PlatformSSORefusal) {
        guard case .request(let version, _) = form,
            [.keyRequest, .keyExchange].contains(result.kind)
        else { return }
        var sheet = VerificationReport(.checkAll)
        sheet.part = .form
        try sheet.require(
            version == .v2, .version, .versionUnsupported, "key requests are of version 2.0")
        adopt(sheet)
    }

    /// Inspects a nonce or the start of a web login: the responses that are neither signed nor
    /// encrypted.
    private mutating func answer() throws(PlatformSSORefusal) {
        let claims = try MessageClaims(payload: message).members
        result.message.claims = claims
        let bytes = message
        var sheet = VerificationReport(.checkAll)
        if claims["authorizationURL"] != nil {
            result.kind = .webLoginStart
            _ = try sheet.attempt(.content) { () throws(PlatformSSORefusal) in
                try WebLoginStart(discovery: bytes, keyPath: "authorizationURL")
            }
        } else {
            result.kind = .nonceResponse
            _ = try sheet.attempt(.content) { () throws(PlatformSSORefusal) in
                try NonceExchange.nonce(in: bytes)
            }
        }
        adopt(sheet)
    }

    /// Inspects a callback. The code is omitted, because it can be used until the device uses it.
    private mutating func callback(_ text: String) throws(PlatformSSORefusal) {
        result.kind = .webLoginCallback
        var sheet = VerificationReport(.checkAll)
        let read = try sheet.attempt(.content) { () throws(PlatformSSORefusal) in
            try WebLoginCallback(text)
        }
        adopt(sheet)
        guard let read else { return }
        result.message.claims = Self.object([
            FormField("redirect_uri", read.redirectURI), FormField("state", read.state),
        ])
    }

    /// Returns each name once; the checks refuse a repeated one where it matters.
    private static func object(_ fields: [FormField]) -> JSONObject {
        var object = JSONObject()
        for field in fields where object[field.name] == nil {
            object[field.name] = .string(field.value)
        }
        return object
    }
}
