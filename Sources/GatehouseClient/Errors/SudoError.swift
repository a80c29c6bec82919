// SPDX-License-Identifier: Apache-2.0

/// What `SudoUserClientError` has, and what each of it is here.
public enum SudoError: String, Sendable, CaseIterable {
    case alreadyRegistered
    case alreadySignedIn
    case registerOperationAlreadyInProgress
    case refreshTokensOperationAlreadyInProgress
    case signInOperationAlreadyInProgress
    case invalidRegistrationChallengeType
    case keyNotFound
    case notRegistered
    case notSignedIn
    case noAuthenticationProvider
    case invalidConfig
    case identityServiceConfigNotFound
    case authTokenMissing
    case notAuthorized
    case invalidInput
    case signInCanceled
    case identityNotConfirmed
    case externalSSOSessionExists
    case serviceError
    case requestError
    case graphQLError
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
