// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PublicSuffix

/// The document at `/.well-known/webauthn` of the RP ID (section 5.11): other origins whose pages
/// may use its credentials.
package struct RelatedOrigins: Sendable, Equatable {
    package let origins: [String]

    /// The number of different labels that clients must process (section 5.11.1). Some clients
    /// ignore further labels, so they are refused.
    package static let maximumLabels = 5
    package static let maximumOrigins = 64

    package enum Refusal: Error, Sendable, Equatable {
        /// Not a secure web origin as browsers write it, or its host is a public suffix.
        case origin(String)
        case repeated(String)
        case tooManyLabels(Int)
        case tooManyOrigins(Int)
    }

    /// - Parameter suffixes: Determines the label of a host before its public suffix, `example` for
    ///   `login.example.co.uk`. Loaded only if there is a host to check.
    package init(
        _ origins: [String], suffixes: @autoclosure () -> PublicSuffixList = .vendored
    ) throws(Refusal) {
        guard origins.count <= Self.maximumOrigins else { throw .tooManyOrigins(origins.count) }
        var labels: Set<Substring> = []
        var seen: Set<String> = []
        for origin in origins {
            guard case .web("https", let host, _) = CallerOrigin(origin),
                let label = suffixes().registrableLabel(of: host)
            else { throw .origin(origin) }
            guard seen.insert(origin).inserted else { throw .repeated(origin) }
            labels.insert(label)
        }
        guard labels.count <= Self.maximumLabels else { throw .tooManyLabels(labels.count) }
        self.origins = origins
    }

    package var json: JSONValue { ["origins": .array(origins.map { .string($0) })] }
}
