// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The apps that a domain associates with itself: `apple-app-site-association`.
package struct SiteAssociation: Sendable, Equatable {
    package enum ParseError: Error, Sendable, Equatable {
        /// Longer than ``greatestLength``.
        case tooLong
        case notJSON(JSONError)
        case notAnObject
        /// The `apps` of a service is not a list of identifiers.
        case malformedService(AssociatedService)

        /// A stable identifier.
        package var code: String {
            switch self {
            case .tooLong: "association_too_long"
            case .notJSON(let error): error.code
            case .notAnObject: "association_not_an_object"
            case .malformedService(let service): "association_malformed_\(service.rawValue)"
            }
        }
    }

    /// 128 KiB, in bytes.
    package static let greatestLength = 131_072

    private let apps: [AssociatedService: Set<String>]

    /// - Parameter services: The services to read; errors in others are ignored.
    package init(
        _ bytes: [UInt8], for services: [AssociatedService] = [.authsrv, .webcredentials]
    ) throws(ParseError) {
        guard bytes.count <= Self.greatestLength else { throw .tooLong }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(
                bytes, maximumBytes: Self.greatestLength, maximumDepth: 16)
        } catch {
            throw .notJSON(error)
        }
        guard let object = value.object else { throw .notAnObject }
        var apps: [AssociatedService: Set<String>] = [:]
        for service in services {
            guard let section = object[service.rawValue] else { continue }
            guard let names = section["apps"]?.strings else { throw .malformedService(service) }
            apps[service] = Set(names)
        }
        self.apps = apps
    }

    /// Whether the file associates the app (`TEAMID.bundle.id`) with the domain for the service.
    package func names(_ app: String, for service: AssociatedService) -> Bool {
        apps[service]?.contains(app) == true
    }

    /// Whether the file contains the service.
    package func lists(_ service: AssociatedService) -> Bool { apps[service] != nil }

    /// Returns the apps of the service, in the order of their names.
    package func apps(for service: AssociatedService) -> [String] { (apps[service] ?? []).sorted() }

    package static func address(of host: HostName) -> String {
        "https://\(host)/.well-known/apple-app-site-association"
    }

    /// Returns the file that lists the apps of these services, in the form that every reader
    /// supports.
    package static func file(_ apps: [(AssociatedService, [String])]) -> [UInt8] {
        JSONObject(
            apps.map { service, names in
                JSONObject.Member(
                    name: service.rawValue, value: ["apps": .array(names.map { .string($0) })])
            }
        ).bytes
    }
}
