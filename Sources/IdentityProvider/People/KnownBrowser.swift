// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// A browser that people have signed in from before, as a sealed cookie says. Whoever guesses at them
/// elsewhere does not lock them out here.
package struct KnownBrowser: Sendable, Equatable {
    /// Of the browser, made at its first sign-in.
    let id: String
    /// When it was made. The cookie expires by it, whatever the browser does.
    let issuedAt: Timestamp
    /// The latest first.
    private(set) var people: [Identifier<Person>]

    /// So many people of one browser are remembered.
    private static let most = 5
    private static let longest = 1024
    /// What browsers keep a cookie at most (RFC 6265bis section 5.5).
    package static let lifetimeSeconds: Int64 = 400 * 86_400

    func knows(_ person: Identifier<Person>) -> Bool { people.contains(person) }

    /// What the cookie of a request says; `nil` without one of ours.
    package static func read(
        _ cookie: String?, of project: Identifier<Project>, secrets: DerivedKeys,
        now: Timestamp
    ) -> KnownBrowser? {
        guard let cookie, cookie.utf8.count <= longest, let sealed = Base64URL.decode(cookie),
            let bytes = secrets.takeBack(sealed, context: context(project)),
            let object = try? JSONParser.parseObject(bytes, maximumBytes: longest),
            let id = object["id"]?.string,
            let issued = object["at"]?.integer.map(Timestamp.init(milliseconds:)),
            now - issued < .seconds(lifetimeSeconds)
        else { return nil }
        let people = object["people"]?.strings ?? []
        return KnownBrowser(
            id: id, issuedAt: issued, people: people.compactMap { Identifier($0) })
    }

    /// The cookie of a browser from which `person` has just signed in; `nil` when it says so already.
    package static func cookie(
        adding person: Identifier<Person>, to known: KnownBrowser?, in tenant: Tenant,
        of provider: Provider, now: Timestamp
    ) throws -> String? {
        guard known?.people.first != person else { return nil }
        let others = (known?.people ?? []).filter { $0 != person }
        let people = [person] + others.prefix(most - 1)
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
