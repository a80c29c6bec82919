// SPDX-License-Identifier: Apache-2.0
package import OAuth

/// What the authorization endpoint does next.
package enum AuthorizationStep: Sendable {
    /// Tell the person; there is no address that may be trusted with an answer.
    case page(Refusal)
    /// Answer the client, through the browser.
    case answer(AuthorizationResponse)
    /// Ask the person something first.
    case interaction(Interaction)
}

/// An authorization request that waits for a person.
package struct Interaction: Sendable {
    package enum Need: Sendable, Equatable {
        /// - Parameter reason: why, when somebody is signed in already.
        case signIn(loginHint: String?, reason: SignInReason)
        case consent(scope: ScopeSet)
        case selectAccount
        /// The person is signed in, and a key of theirs is all that is missing.
        case stepUp(to: ContextClass, isEssential: Bool)
        /// One key alone does not count here: a second one, or recovery codes, come first.
        case secondWayIn
        /// The signed-in person may not use the client; another account may.
        case otherAccount(because: Refusal)
    }

    package enum SignInReason: String, Sendable {
        /// Nobody is signed in.
        case signedOut = "signed_out"
        /// The application wants to see the person again.
        case again
        /// Somebody else is meant.
        case otherAccount = "other_account"
    }

    /// Of a handle in letters: an address with it fits into 8 KiB, which proxies read.
    package static let longestHandle = 7200

    /// Whether it can be a handle of ours: base64url.
    package static func isHandle(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= longestHandle
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Opaque, for the page's hidden field or `?continue=`. Useless to other browsers' people:
    /// it opens no session.
    package let handle: String
    package let need: Need
    package let client: RegisteredClient
    package let redirectURI: RedirectURI
    /// Languages the client asks for, best first.
    package let languages: [String]
    /// The id of the request in whose audit event the refusal is, if ``need`` is
    /// ``Need/otherAccount(because:)``. The page shows this id, not that of its own request.
    package let recordedAs: String?

    package var clientName: String { client.displayName }
}
