// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import Primitives
import ProviderCore
import Storage

/// Two locks against forged requests: where the browser says the request comes from, and a token
/// that only our own page could have put into the form.
enum CSRFProtection {
    /// Whether the request comes from our own pages, as far as the browser says. Programs say
    /// nothing, and have no cookies of a person's browser to abuse.
    static func isSameOrigin(_ request: ServerRequest, issuer: String) -> Bool {
        if let site = request.headers[.secFetchSite] {
            return site == "same-origin" || site == "none"
        }
        guard let origin = request.headers[.origin] else { return true }
        return origin == SiteOrigin(issuer: issuer)?.origin
    }

    /// HMAC over the browser's form cookie, its session and the project: useless elsewhere, and
    /// useless after the next sign-in.
    static func token(
        formCookie: String, sessionCookie: String?, tenant: Tenant, secrets: DerivedKeys
    ) -> String {
        let text = [formCookie, sessionCookie ?? "", tenant.project.name]
            .joined(separator: "\u{0}")
        return Base64URL.encode(secrets.hash(text.utf8, for: .formToken))
    }

    static func isToken(_ sent: String?, expected: String) -> Bool {
        ConstantTime.equal(Array((sent ?? "").utf8), Array(expected.utf8))
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest") ?? .origin
}
