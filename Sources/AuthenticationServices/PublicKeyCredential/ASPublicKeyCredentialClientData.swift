// SPDX-License-Identifier: Apache-2.0

/// The client data of a page, which only a browser may give (WebAuthn section 5.8.1).
public struct ASPublicKeyCredentialClientData: Equatable, Sendable {
    /// The relation of the page to its ancestors.
    public enum CrossOriginValue: Hashable, Sendable {
        /// A page of another origin is around it.
        case crossOrigin
        /// All ancestors have the same origin.
        case sameOriginWithAncestors
    }

    /// The server's challenge for this ceremony.
    public var challenge: Data
    /// The origin of the page.
    public var origin: String
    /// The origin of the outermost page.
    public var topOrigin: String?
    /// The relation of the page to its ancestors.
    public var crossOrigin: CrossOriginValue?

    /// The client data of a page.
    public init(
        challenge: Data, origin: String, topOrigin: String? = nil,
        crossOrigin: CrossOriginValue? = nil
    ) {
        self.challenge = challenge
        self.origin = origin
        self.topOrigin = topOrigin
        self.crossOrigin = crossOrigin
    }
}
