// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// What every answer says to browsers unless the handler said otherwise.
enum SecurityHeaders {
    private static let always = [
        HTTPField(
            name: .contentSecurityPolicy,
            value: "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: .referrerPolicy, value: "no-referrer"),
    ]
    private static let secure =
        always + [HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")]
    private static let linesAlways = lines(of: always)
    private static let linesSecure = lines(of: secure)

    static func add(to headers: inout HTTPFields, isSecure: Bool) {
        for field in isSecure ? secure : always where !headers.contains(field.name) {
            headers.append(field)
        }
    }

    /// The lines of HTTP/1.1, with the names of their fields.
    static func lines(isSecure: Bool) -> [(name: HTTPField.Name, line: String)] {
        isSecure ? linesSecure : linesAlways
    }

    private static func lines(of fields: [HTTPField]) -> [(name: HTTPField.Name, line: String)] {
        fields.map { ($0.name, "\($0.name.rawName): \($0.value)\r\n") }
    }
}

extension HTTPField.Name {
    static let referrerPolicy = constant("Referrer-Policy")
    package static let permissionsPolicy = constant("Permissions-Policy")
    static let host = constant("Host")
    static let requestID = constant("X-Request-ID")
    static let forwarded = constant("Forwarded")
    static let forwardedFor = constant("X-Forwarded-For")
    static let forwardedProto = constant("X-Forwarded-Proto")

    /// A constant name. If one were malformed, the first test would fail.
    private static func constant(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .server
    }
}
