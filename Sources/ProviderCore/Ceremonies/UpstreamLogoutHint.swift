// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// The data for a sign-out at the upstream provider that authenticated the person. It is stored
/// only in a sealed cookie.
package struct UpstreamLogoutHint: Sendable, Equatable {
    /// The name of the provider.
    package let provider: String
    package let person: Identifier<Person>
    /// The ID token of the sign-in (RP-Initiated Logout 1.0 section 2, `id_token_hint`); `nil` if
    /// it is too long for a cookie.
    package let idToken: String?

    private static let maximumLength = 2600

    package init(provider: String, person: Identifier<Person>, idToken: String?) {
        self.provider = provider
        self.person = person
        self.idToken = idToken.flatMap { $0.utf8.count <= Self.maximumLength ? $0 : nil }
    }

    /// The value of the cookie: at most 4 KiB.
    package func sealed(in tenant: Tenant, _ secrets: DerivedKeys) throws -> String {
        var object = JSONObject()
        object["provider"] = .string(provider)
        object["person"] = .string(person.description)
        object["hint"] = idToken.map(JSONValue.string)
        return Base64URL.encode(
            try secrets.seal(Secret(object.json.bytes), context: Self.context(tenant)))
    }

    /// Opens the cookie. Returns `nil` if it was not sealed for this project.
    package init?(sealed text: String, in tenant: Tenant, _ secrets: DerivedKeys) {
        guard text.utf8.count <= 8192, let bytes = Base64URL.decode(text),
            let opened = try? secrets.open(bytes, context: Self.context(tenant)),
            let object = try? JSONParser.parseObject(opened.reveal(), maximumBytes: 8192),
            let provider = object["provider"]?.string,
            let person = object["person"]?.string.flatMap(Identifier<Person>.init)
        else { return nil }
        self.init(provider: provider, person: person, idToken: object["hint"]?.string)
    }

    private static func context(_ tenant: Tenant) -> String {
        "upstream-sign-out/\(tenant.project.id)"
    }
}
