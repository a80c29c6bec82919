// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A service of the operator that identifies people: by a badge reader, a code on paper, or an
/// older account.
///
/// The app passes on what the person says and shows what the service answers, in a format that is
/// between the two of them; see ``CustomChallenge``.
public struct CustomIdentityProvider: Sendable, Hashable, Identifiable {
    /// The identifier of the service. It never changes, because people are registered under it.
    public let id: String
    /// The display name.
    public let name: String
    /// ``RegistrationMethod/customOneStep`` or ``RegistrationMethod/customTwoStep``.
    public let method: RegistrationMethod

    /// Parses an item of the provider's list; `nil` for an unknown kind.
    init?(_ value: JSONValue) {
        guard let id = value["id"]?.string,
            let method = value["method"]?.string.map({ RegistrationMethod(rawValue: $0) }),
            method == .customOneStep || method == .customTwoStep
        else { return nil }
        self.id = id
        name = value["name"]?.string ?? id
        self.method = method
    }
}

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
