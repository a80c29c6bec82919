// SPDX-License-Identifier: Apache-2.0

/// A request of an app, as it comes over the agent's socket.
package struct AppRequest: Sendable, Equatable {
    /// Whole, with its query; of a credential extension, where the challenge came from.
    package var url: String
    /// Empty for a request that was taken over on its way.
    package var operation = ""
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []
    /// Of a challenge; then a credential extension is looked for.
    package var realm: String?
    package var options: [String: String] = [:]
    package var isUserInterfaceEnabled = true

    package init(url: String) { self.url = url }
}
