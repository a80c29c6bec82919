// SPDX-License-Identifier: Apache-2.0

/// The cases of `SudoUserClientError`, and their equivalents.
public enum SudoError: String, Sendable, CaseIterable {
    /// A person is registered here already.
    case alreadyRegistered
    /// A session is there already: signing in again is no error here.
    case alreadySignedIn
    /// A second registration: here it may run, or waits for the first.
    case registerOperationAlreadyInProgress
    /// A second refresh: here it gets the outcome of the first.
    case refreshTokensOperationAlreadyInProgress
    /// A second sign-in: here the last one counts.
    case signInOperationAlreadyInProgress
    /// The configuration does not have that way to register.
    case invalidRegistrationChallengeType
    /// A key that should be in the key store is not.
    case keyNotFound
    /// No person is registered here.
    case notRegistered
    /// The person is not signed in.
    case notSignedIn
    /// None was set: here it is an argument.
    case noAuthenticationProvider
    /// The configuration cannot be read.
    case invalidConfig
    /// The configuration has no such section.
    case identityServiceConfigNotFound
    /// A token that should be there is not.
    case authTokenMissing
    /// The service refused the credential.
    case notAuthorized
    /// The service refused what was sent.
    case invalidInput
    /// The person closed the window.
    case signInCanceled
    /// The person is not confirmed: here they are there or not.
    case identityNotConfirmed
    /// A browser session was in the way, which the code flow does not know.
    case externalSSOSessionExists
    /// The service failed.
    case serviceError
    /// The service was not reached.
    case requestError
    /// The service failed, in GraphQL.
    case graphQLError
    /// None of the others.
    case fatalError

    /// The code here; `nil` for what cannot happen here (`docs/parity.md` says why).
    public var code: IdentityError.Code? {
        switch self {
        case .alreadyRegistered: .alreadyRegistered
        case .invalidRegistrationChallengeType: .methodNotSupported
        case .keyNotFound: .storageDamaged
        case .notRegistered: .notRegistered
        case .notSignedIn, .authTokenMissing: .notSignedIn
        case .invalidConfig, .identityServiceConfigNotFound: .configurationInvalid
        case .notAuthorized: .notAuthorized
        case .invalidInput: .requestInvalid
        case .signInCanceled: .cancelled
        case .serviceError, .graphQLError: .providerUnavailable
        case .requestError: .notReachable
        case .fatalError: .unknown
        case .alreadySignedIn, .registerOperationAlreadyInProgress,
            .refreshTokensOperationAlreadyInProgress, .signInOperationAlreadyInProgress,
            .noAuthenticationProvider, .identityNotConfirmed, .externalSSOSessionExists:
            nil
        }
    }
}
