// SPDX-License-Identifier: Apache-2.0

/// Why something that was asked of the SDK did not happen.
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
    /// What was being done.
    public let domain: Domain
    /// What went wrong. New codes may come with new versions: have a `default`.
    public let code: Code
    /// Whether, and when, asking again can help.
    public let retry: RetryAdvice
    /// For a log or a developer: where exactly. Holds no secret. Not for people.
    public let reason: String
    /// What the provider said, when it was the provider: the `code` of its problem document, or
    /// the `error` of its OAuth endpoint.
    public let serverCode: String?
    /// What the operator's own identity provider said, when it was that one.
    public let providerAnswer: CustomPayload?
    /// With ``Code/outdatedApplication`` and ``Code/outdatedSystem``: what would do.
    public let update: UpdateAdvice?
    /// With ``Code/storageDamaged``: whose record it is, when it is a profile's own. Nothing more can
    /// be had of it: ``IdentityClient/remove(_:)`` takes it away, and the person registers again.
    public let profile: Profile.ID?
    /// What failed below, when something did.
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

    /// The same in another domain.
    func moved(to domain: Domain) -> IdentityError {
        IdentityError(
            domain, code, reason, retry: retry, serverCode: serverCode, underlying: underlying,
            providerAnswer: providerAnswer, update: update, profile: profile)
    }

    /// Who can do something about it.
    public enum Audience: Sendable, Hashable {
        /// A person: tell them.
        case user
        /// Whoever made or configured the app: log it.
        case developer
    }

    /// Who can do something about it.
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
    /// For a log; holds no secret.
    public var description: String {
        let server = serverCode.map { " [\($0)]" } ?? ""
        return "\(domain.rawValue).\(code.rawValue)\(server): \(reason)"
    }
}

extension IdentityError {
    /// What was being done when it went wrong.
    public enum Domain: String, Sendable, Hashable, CaseIterable {
        /// Whatever it was: the way to the provider, the store, the configuration.
        case generic
        /// Registering, or finding out how.
        case registration
        /// Looking at a PIN that somebody has chosen.
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

    /// When asking again can help.
    public enum RetryAdvice: Sendable, Hashable {
        /// The same again would fail the same way.
        case never
        /// At once, with something changed: another PIN, a fresh credential.
        case withOtherInput
        /// Later: nothing is wrong with the request.
        case later
        /// Not before that many seconds have passed.
        case after(seconds: Int64)
        /// Once the person has signed in again.
        case afterSignIn
    }
}
