// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import ProviderCore

/// One request as endpoints see it: read whole, within its limit, with its tenant found.
package struct ServerRequest: Sendable {
    package var method: HTTPRequest.Method
    /// Without the tenant's ``Tenant/pathPrefix`` and without the query: `/token`.
    package var path: String
    /// Raw, without the question mark; `nil` when there is none.
    package var query: String?
    package var headers: RequestHeaders
    package var body: [UInt8]
    package var tenant: Tenant
    package var facts: RequestMetadata
    /// Whether the person's side of the connection is https, as the issuer says.
    package var isSecure: Bool
    /// The values of `{name}` segments of the route.
    package var parameters: [String: String]

    package init(
        method: HTTPRequest.Method, path: String, query: String? = nil,
        headers: RequestHeaders = [:], body: [UInt8] = [], tenant: Tenant, facts: RequestMetadata,
        isSecure: Bool = false,
        parameters: [String: String] = [:]
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.tenant = tenant
        self.facts = facts
        self.isSecure = isSecure
        self.parameters = parameters
    }

    /// The body as a form. Its content type must say that it is one.
    package func form() throws(FormError) -> FormParameters {
        guard let type = headers[.contentType], mediaType(type) == FormParameters.mediaType else {
            throw FormError.wrongContentType
        }
        return try FormParameters(body)
    }

    /// The query as a form; empty when there is none.
    package func queryForm() throws(FormError) -> FormParameters {
        try FormParameters(Array((query ?? "").utf8))
    }

    /// The value of a cookie, or `nil` when it is absent, repeated or ill-formed.
    package func cookie(_ name: String) -> String? {
        RequestCookies(headers[values: .cookie])[name]
    }

    /// Whether a person with a browser is asking, not a program.
    package var wantsPage: Bool { headers[.accept]?.contains("text/html") ?? false }
}

/// The media type of a `Content-Type` value, lower case, without its parameters.
package func mediaType(_ contentType: String) -> String {
    let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }
    return Substring(type).lowercased().trimmed()
}

extension String {
    /// Without spaces and tabs at both ends.
    package func trimmed() -> String {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else {
            return self
        }
        guard let start = utf8.firstIndex(where: { !isBlank($0) }),
            let end = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[start...end])
    }
}
