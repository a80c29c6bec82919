// SPDX-License-Identifier: Apache-2.0

/// The reason that an operation of the SDK has failed.
///
/// One type for everything. Look at ``code`` to decide, at ``retry`` to know whether asking again
/// helps, and at ``audience`` to know whether a person can do something about it:
///
/// ```swift
/// do {
///     try await client.signIn(.deviceKey)
/// } catch let error as IdentityError where error.code == .notRegistered {
///     showRegistration()
/// } catch let error as IdentityError {
///     log(error.description)
///     show(words(for: error.code), offersRetry: error.retry == .later)
/// }
/// ```
public struct IdentityError: Error, Sendable {
    /// The operation.
    public let domain: Domain
    /// The kind of the error. New versions may add codes: have a `default`.
    public let code: Code
    /// Whether, and when, asking again can help.
    public let retry: RetryAdvice
    /// A text for logs and developers, without a secret. Do not display it to people.
    public let reason: String
    /// The provider's error code: the `code` of its problem document, or the `error` of its OAuth
    /// endpoint.
    public let serverCode: String?
    /// The response of a custom identity provider, if it has refused.
    public let providerAnswer: CustomPayload?
    /// With ``Code/outdatedApplication`` and ``Code/outdatedSystem``: the required version.
    public let update: UpdateAdvice?
    /// With ``Code/storageDamaged``: the profile whose own record is damaged. It cannot be used:
    /// call ``IdentityClient/remove(_:)``, and have the person register again.
    public let profile: Profile.ID?
    /// The underlying error, if there is one.
    public let underlying: (any Error)?

    package init(
        _ domain: Domain, _ code: Code, _ reason: String, retry: RetryAdvice? = nil,
        serverCode: String? = nil, underlying: (any Error)? = nil,
        providerAnswer: CustomPayload? = nil, update: UpdateAdvice? = nil,
        profile: Profile.ID? = nil
    ) {
        self.domain = domain
        self.code = code
        self.reason = reason
        self.retry = retry ?? code.usualAdvice
        self.serverCode = serverCode
        self.underlying = underlying
        self.providerAnswer = providerAnswer
        self.update = update
        self.profile = profile
    }

    /// Returns the same error in another domain.
    func moved(to domain: Domain) -> IdentityError {
        IdentityError(
            domain, code, reason, retry: retry, serverCode: serverCode, underlying: underlying,
            providerAnswer: providerAnswer, update: update, profile: profile)
    }

    /// The person who can act on an error.
    public enum Audience: Sendable, Hashable {
        /// A person: tell them.
        case user
        /// The developer or operator of the app: log it.
        case developer
    }

    /// The person who can act on this error.
    public var audience: Audience { code.audience }

    /// The number that the Onegini / OneWelcome SDK gives to this in its domain, for apps that come
    /// from there. Their numbers mean something within a domain only, and were changed before:
    /// never store them. `nil` where that SDK has no such error.
    public var legacyCode: Int? { LegacyError.number(of: code, in: domain) }
}

extension IdentityError: Equatable {
    /// Domain and code: what a program decides on.
    public static func == (left: IdentityError, right: IdentityError) -> Bool {
        left.domain == right.domain && left.code == right.code
    }
}

extension IdentityError: CustomStringConvertible {
    /// A text for logs, without a secret.
    public var description: String {
        let server = serverCode.map { " [\($0)]" } ?? ""
        return "\(domain.rawValue).\(code.rawValue)\(server): \(reason)"
    }
}

extension IdentityError {
    /// The operation that failed.
    public enum Domain: String, Sendable, Hashable, CaseIterable {
        /// Any operation: the connection to the provider, the store, the configuration.
        case generic
        /// Registering, or finding out how.
        case registration
        /// The validation of a new PIN.
        case pinValidation
        /// Signing in, or having a session.
        case authentication
        /// Adding an authenticator to a profile.
        case authenticatorRegistration
        /// Removing one.
        case authenticatorDeregistration
        /// Changing a PIN.
        case pinChange
        /// Removing a profile, or closing an account.
        case deregistration
        /// Signing out.
        case signOut
        /// Approvals: being asked, and answering.
        case approvals
        /// Going on in a browser as who is signed in here.
        case webHandoff
        /// Asking a server for something with a token.
        case resource
    }

    /// Advice on when to try again.
    public enum RetryAdvice: Sendable, Hashable {
        /// A repetition would fail in the same way.
        case never
        /// At once, with other input: another PIN, or a new credential.
        case withOtherInput
        /// Later: nothing is wrong with the request.
        case later
        /// Not before that many seconds have passed.
        case after(seconds: Int64)
        /// Once the person has signed in again.
        case afterSignIn
    }
}
