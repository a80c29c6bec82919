// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The document at `/.well-known/webauthn` of the RP ID (section 5.11): other origins whose pages
/// may use its credentials.
package struct RelatedOrigins: Sendable, Equatable {
    package let origins: [String]

    /// How many different labels clients must read (section 5.11.1); those beyond are ignored by
    /// some, so they are a mistake.
    package static let maximumLabels = 5
    package static let maximumOrigins = 64
    package static let mediaType = "application/json"

    package enum Refusal: Error, Sendable, Equatable {
        /// Not a secure web origin as browsers write it.
        case origin(String)
        case repeated(String)
        case tooManyLabels(Int)
        case tooManyOrigins(Int)
    }

    /// - Parameter label: The label that counts for a host: the one before its public suffix,
    ///   `example` for `login.example.co.uk`. Needs a public-suffix list, which does not live here.
    package init(
        _ origins: [String], label: (String) -> String? = Self.secondLevel
    ) throws(Refusal) {
        guard origins.count <= Self.maximumOrigins else { throw .tooManyOrigins(origins.count) }
        var labels: Set<String> = []
        var seen: Set<String> = []
        for origin in origins {
            guard case .web("https", let host, _) = CallerOrigin(origin), let label = label(host)
            else { throw .origin(origin) }
            guard seen.insert(origin).inserted else { throw .repeated(origin) }
            labels.insert(label)
        }
        guard labels.count <= Self.maximumLabels else { throw .tooManyLabels(labels.count) }
        self.origins = origins
    }

    /// The label before the last one: right wherever the public suffix is a single label.
    package static func secondLevel(_ host: String) -> String? {
        host.split(separator: ".").dropLast().last.map { String($0) }
    }

    package var json: JSONValue { ["origins": .array(origins.map { .string($0) })] }
}
