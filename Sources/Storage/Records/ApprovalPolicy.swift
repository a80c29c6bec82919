// SPDX-License-Identifier: Apache-2.0

/// A project's rules for approvals: what clients ask people to approve in an app.
package struct ApprovalPolicy: Sendable, Equatable, Codable {
    /// Whether installations may enroll, and clients may ask.
    package var enabled = false
    /// The operator's service that wakes apps: `https`, or `http` to this machine. Empty for none:
    /// apps then see what is pending when they are opened.
    package var pushURL = ""
    /// Where the app is reached from a QR code, without query: a link of its domain, or of a scheme
    /// of its own. Empty for none: clients then show the code alone.
    package var appURL = ""
    /// Seconds that an approval waits, where the client asks for nothing else.
    package var expiresIn: Int64 = 300

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.enabled, &enabled)
        try read(.pushURL, &pushURL)
        try read(.appURL, &appURL)
        try read(.expiresIn, &expiresIn)
    }
}
