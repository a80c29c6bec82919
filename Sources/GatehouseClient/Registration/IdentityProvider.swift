// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An identity provider that people can register with. An app draws a button for each.
public struct IdentityProvider: Sendable, Hashable, Identifiable {
    /// How an app registers a person with an identity provider.
    public enum Kind: String, Sendable, Hashable {
        /// The sign-in page of the project, in a browser.
        case browser
        /// Another OpenID provider or OAuth service, in a browser, to which the project redirects.
        case upstream
        /// A service of the operator that identifies people: by a badge reader, a code on paper, or
        /// an older account. The app passes on what the person says, and shows what the service
        /// responds, in a format of their own; see ``CustomChallenge``.
        case custom
    }

    /// The identifier. It never changes, because people are registered under it.
    public let id: String
    /// The display name.
    public let name: String
    /// An image for the button: an `https` or `data:` URL. `nil` if there is none.
    public let icon: URL?
    /// See ``Kind-swift.enum``.
    public let kind: Kind
    /// The registration method: ``RegistrationMethod/oidc``, ``RegistrationMethod/customOneStep`` or
    /// ``RegistrationMethod/customTwoStep``.
    public let method: RegistrationMethod

    /// Parses an item of the provider's list; `nil` for an unknown kind or method.
    init?(_ value: JSONValue) {
        guard let id = value["id"]?.string,
            let method = value["method"]?.string.map({ RegistrationMethod(rawValue: $0) }),
            // Older providers list custom ones only, without a kind.
            let kind = Kind(rawValue: value["kind"]?.string ?? "custom"),
            kind == .custom
                ? method == .customOneStep || method == .customTwoStep : method == .oidc
        else { return nil }
        self.id = id
        name = value["name"]?.string ?? id
        icon = value["icon"]?.string.flatMap { URL(string: $0) }
        self.kind = kind
        self.method = method
    }
}

/// A custom identity provider is an ``IdentityProvider`` of the kind `custom`.
public typealias CustomIdentityProvider = IdentityProvider
