// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// What every answer says to browsers unless the handler said otherwise.
enum SecurityHeaders {
    static let defaults = [
        HTTPField(
            name: .contentSecurityPolicy,
            value: "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: .referrerPolicy, value: "no-referrer"),
    ]
    static let hsts = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")

    static func add(to headers: inout HTTPFields, isSecure: Bool) {
        for field in defaults where !headers.contains(field.name) { headers.append(field) }
        if isSecure, !headers.contains(.strictTransportSecurity) { headers.append(hsts) }
    }
}

extension HTTPField.Name {
    static let referrerPolicy = constant("Referrer-Policy")
    package static let permissionsPolicy = constant("Permissions-Policy")
    static let requestID = constant("X-Request-ID")
    static let forwarded = constant("Forwarded")
    static let forwardedFor = constant("X-Forwarded-For")
    static let forwardedProto = constant("X-Forwarded-Proto")

    /// A constant name. If one were malformed, the first test would fail.
    private static func constant(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .server
    }
}
