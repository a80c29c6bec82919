// SPDX-License-Identifier: Apache-2.0
import JOSE

/// What a domain says of the apps that belong to it: `apple-app-site-association`, of which only
/// `webcredentials` is read.
struct AssociationFile: Sendable, Equatable {
    /// Longest file, in bytes.
    static let greatestLength = 131_072
    /// The identifiers under `webcredentials.apps`.
    let apps: Set<String>

    /// `nil` when it is not such a file.
    init?(_ bytes: [UInt8]) {
        guard
            let object = try? JSONParser.parseObject(
                bytes, maximumBytes: Self.greatestLength, maximumDepth: 16),
            let apps = object["webcredentials"]?["apps"]?.strings
        else { return nil }
        self.apps = Set(apps)
    }

    static func address(_ host: String) -> String {
        "https://\(host)/.well-known/apple-app-site-association"
    }
}
