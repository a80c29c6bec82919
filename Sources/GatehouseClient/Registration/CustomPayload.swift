// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A message of a custom identity provider.
public struct CustomPayload: Sendable, Hashable {
    /// Its own number: 2000 to 2999 agrees, 4000 to 4999 asks to try again, 5000 to 5999 refuses.
    public let status: Int64
    /// Its own words, in its own format.
    public let data: String?

    /// Parses a response of the provider; `nil` without a message of the service.
    init?(_ answer: JSONObject?) {
        guard let status = answer?["provider_status"]?.integer else { return nil }
        self.status = status
        data = answer?["data"]?.string
    }
}
