// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// A browser in which people have signed in before. It is stored in a sealed cookie. Failed
/// attempts from elsewhere do not lock these people out in this browser.
package struct KnownBrowser: Sendable, Equatable {
    /// A random identifier, issued at the first sign-in in the browser.
    let id: String
    /// The time of its issuance. The cookie expires by it, independently of the browser.
    let issuedAt: Timestamp
    /// Most recent first.
    private(set) var people: [Identifier<Person>]

    /// Maximum number of people of a browser.
    private static let maximumPeople = 5
    private static let maximumLength = 1024
    /// The maximum lifetime of a cookie in browsers (RFC 6265bis section 5.5).
    package static let lifetimeSeconds: Int64 = 400 * 86_400

    func knows(_ person: Identifier<Person>) -> Bool { people.contains(person) }

    /// Opens the cookie of a request. Returns `nil` if it is missing, invalid or expired.
    package static func read(
        _ cookie: String?, of project: Identifier<Project>, secrets: DerivedKeys,
        now: Timestamp
    ) -> KnownBrowser? {
        guard let cookie, cookie.utf8.count <= maximumLength, let sealed = Base64URL.decode(cookie),
            let bytes = secrets.openLent(sealed, context: context(project)),
            let object = try? JSONParser.parseObject(bytes, maximumBytes: maximumLength),
            let id = object["id"]?.string,
            let issued = object["at"]?.integer.map(Timestamp.init(milliseconds:)),
            now - issued < .seconds(lifetimeSeconds)
        else { return nil }
        let people = object["people"]?.strings ?? []
        return KnownBrowser(
            id: id, issuedAt: issued, people: people.compactMap { Identifier($0) })
    }

    /// The cookie of a browser in which `person` has just signed in; `nil` if it need not change.
    package static func cookie(
        adding person: Identifier<Person>, to known: KnownBrowser?, in tenant: Tenant,
        of provider: Provider, now: Timestamp
    ) throws -> String? {
        guard known?.people.first != person else { return nil }
        let others = (known?.people ?? []).filter { $0 != person }
        let people = [person] + others.prefix(maximumPeople - 1)
        let object: JSONValue = [
            "id": .string(known?.id ?? Base64URL.encode(provider.random.bytes(16))),
            "at": .integer((known?.issuedAt ?? now).milliseconds),
            "people": .array(people.map { .string($0.description) }),
        ]
        return Base64URL.encode(
            try provider.secrets.lend(
                object.bytes, context: context(tenant.project.id), random: provider.random))
    }

    private static func context(_ project: Identifier<Project>) -> String {
        "known-browser/\(project)"
    }
}
