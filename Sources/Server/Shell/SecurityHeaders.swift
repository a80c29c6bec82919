// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// What every answer says to browsers unless the handler said otherwise.
enum SecurityHeaders {
    private static let defaults: [(HTTPField.Name, String)] = [
        (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
        (.xContentTypeOptions, "nosniff"),
        (.referrerPolicy, "no-referrer"),
    ]

    static func add(to headers: inout HTTPFields, isSecure: Bool) {
        for (name, value) in defaults where !headers.contains(name) { headers[name] = value }
        if isSecure, !headers.contains(.strictTransportSecurity) {
            headers[.strictTransportSecurity] = "max-age=31536000"
        }
    }
}

extension HTTPField.Name {
    static let referrerPolicy = constant("Referrer-Policy")
    static let requestID = constant("X-Request-ID")
    static let forwardedFor = constant("X-Forwarded-For")
    static let forwardedProto = constant("X-Forwarded-Proto")

    /// A name that is known to be well-formed; a mistake here shows in the first test.
    private static func constant(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .server
    }
}
