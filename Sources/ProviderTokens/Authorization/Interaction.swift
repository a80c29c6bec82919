// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import ProviderCore

/// The next step of the authorization endpoint.
package enum AuthorizationStep: Sendable {
    /// Display a refusal, because no redirect URI is trusted.
    case page(Refusal)
    /// Respond to the client through the browser.
    case answer(AuthorizationResponse)
    /// Prompt the person first.
    case interaction(Interaction)
}

/// An authorization request that waits for a person.
package struct Interaction: Sendable {
    package enum Need: Sendable, Equatable {
        /// - Parameter reason: the reason, also if a person is signed in already.
        case signIn(loginHint: String?, reason: SignInReason)
        case consent(scope: ScopeSet)
        case selectAccount
        /// The person is signed in, and only the proof of one of their keys is missing.
        case stepUp(to: ContextClass, isEssential: Bool)
        /// The policy requires a second key or recovery codes before the first key is used.
        case secondWayIn
        /// The signed-in person may not use the client; another account may.
        case otherAccount(because: Refusal)
    }

    package enum SignInReason: String, Sendable {
        /// The browser has no session.
        case signedOut = "signed_out"
        /// The client requires a fresh sign-in.
        case again
        /// The client requires another person.
        case otherAccount = "other_account"
    }

    /// Maximum length of a handle in bytes. A URL with it fits into 8 KiB, which proxies accept.
    package static let maximumHandleLength = 7200

    /// Whether the text has the form of a handle: base64url.
    package static func isHandle(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumHandleLength
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// An opaque value for the hidden field of the page or for `?continue=`. It does not
    /// authenticate: it gives no session.
    package let handle: String
    package let need: Need
    package let client: RegisteredClient
    package let redirectURI: RedirectURI
    /// The upstream provider of the request, by its name; `nil` for the sign-in page.
    package let identityProvider: String?
    /// The languages that the client requests, best first.
    package let languages: [String]
    /// The ID of the request whose audit event contains the refusal, if ``need`` is
    /// ``Need/otherAccount(because:)``. The page displays this ID and not the ID of the request for
    /// the page.
    package let recordedAs: String?
    /// See ``RequestedContext/requiredKeyClass``.
    package let requiredKeyClass: ContextClass?
}
