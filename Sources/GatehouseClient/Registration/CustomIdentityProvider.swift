// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A service of the operator's own that knows people, and says who somebody is: a badge reader, a
/// letter with a code, an older account.
///
/// The app passes on what the person says and shows what the service answers, in a format that is
/// between the two of them; see ``CustomChallenge``.
public struct CustomIdentityProvider: Sendable, Hashable, Identifiable {
    /// What it is named by, and what people are known under: it never changes.
    public let id: String
    /// For people.
    public let name: String
    /// ``RegistrationMethod/customOneStep`` or ``RegistrationMethod/customTwoStep``.
    public let method: RegistrationMethod

    /// One of the list that the provider gives; `nil` for one of a kind that is not known here.
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

/// What the operator's own service has said.
public struct CustomPayload: Sendable, Hashable {
    /// Its own number: 2000 to 2999 agrees, 4000 to 4999 asks to try again, 5000 to 5999 refuses.
    public let status: Int64
    /// Its own words, in its own format.
    public let data: String?

    /// Of an answer of the provider's; `nil` when the service has no part in it.
    init?(_ answer: JSONObject?) {
        guard let status = answer?["provider_status"]?.integer else { return nil }
        self.status = status
        data = answer?["data"]?.string
    }
}
