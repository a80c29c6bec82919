// SPDX-License-Identifier: Apache-2.0

/// An error number of the Onegini / OneWelcome SDK, and its equivalent.
///
/// The whole table is in ``all``; `docs/parity.md` says of each number how it comes about here, or
/// why it cannot.
public struct LegacyError: Sendable, Hashable {
    /// The operation.
    public let domain: IdentityError.Domain
    /// Theirs, unique in its domain.
    public let number: Int
    /// The name in that SDK.
    public let name: String
    /// The code of this SDK; `nil` if the error cannot occur.
    public let code: IdentityError.Code?

    /// Theirs: what is below 10,000 is for people to see, the rest for developers.
    public var audience: IdentityError.Audience { number < 10_000 ? .user : .developer }

    init(
        _ domain: IdentityError.Domain, _ number: Int, _ name: String, _ code: IdentityError.Code?
    ) {
        self.domain = domain
        self.number = number
        self.name = name
        self.code = code
    }

    static func number(of code: IdentityError.Code, in domain: IdentityError.Domain) -> Int? {
        byCode[ErrorKey(domain: domain, code: code)]
            ?? byCode[ErrorKey(domain: .generic, code: code)]
            ?? (code == .notSignedIn ? userNotAuthenticated : nil)
            ?? (code == .notRegistered && domain == .pinChange ? statelessUser : nil)
    }

    /// Theirs in every domain that has it.
    private static let userNotAuthenticated = 9010
    /// A guest is in no store, and so not registered; with a profile and no PIN it is `pinNotSet`.
    private static let statelessUser = 9033

    private struct ErrorKey: Hashable {
        let domain: IdentityError.Domain
        let code: IdentityError.Code
    }

    /// The number of each code: the first one in the table.
    private static let byCode: [ErrorKey: Int] = {
        var numbers: [ErrorKey: Int] = [:]
        for error in all {
            guard let code = error.code else { continue }
            let place = ErrorKey(domain: error.domain, code: code)
            numbers[place] = numbers[place] ?? error.number
        }
        return numbers
    }()
}

extension LegacyError {
    /// Every number of version 12 of that SDK.
    public static let all: [LegacyError] =
        generic + registration + pinValidation + authentication + authenticators + approvals + rest

    private static let generic: [LegacyError] = [
        .init(.generic, 9000, "networkConnectivityFailure", .notReachable),
        .init(.generic, 9001, "serverNotReachable", .providerUnavailable),
        .init(.generic, 9002, "deviceDeregistered", .deviceRevoked),
        .init(.generic, 9003, "userDeregistered", .profileLocked),
        .init(.generic, 9004, "outdatedApplication", .outdatedApplication),
        .init(.generic, 9005, "outdatedOS", .outdatedSystem),
        .init(.generic, 9006, "actionCancelled", .cancelled),
        .init(.generic, 9007, "actionAlreadyInProgress", nil),
        .init(.generic, 9008, "deviceRegistrationFailure", .attestationFailed),
        .init(.generic, 9023, "protectedDataStorageNotAvailable", .protectedDataUnavailable),
        .init(.generic, 9024, "dataStorageNotAvailable", .storageUnavailable),
        .init(.generic, 9025, "unrecoverableDataState", .storageDamaged),
        .init(.generic, 9031, "invalidDateTime", .clockWrong),
        .init(.generic, 10000, "unknown", .unknown),
        .init(.generic, 10001, "configurationInvalid", .configurationInvalid),
        .init(.generic, 10015, "requestInvalid", .requestInvalid),
        .init(.generic, 10024, "appIntegrityFailure", .attestationFailed),
    ]

    private static let registration: [LegacyError] = [
        .init(.registration, 9008, "deviceRegistrationFailure", .notAuthorized),
        .init(.registration, 9034, "stateless", nil),
        .init(.registration, 10002, "invalidState", .redirectMismatch),
        .init(.registration, 10020, "invalidIdentityProvider", .identityProviderInvalid),
        .init(.registration, 10021, "customRegistrationExpired", .expired),
        .init(.registration, 10022, "customRegistrationFailure", .identityProviderRefused),
        .init(
            .registration, 10024, "externalIdentityProviderFailure", .identityProviderUnavailable),
    ]

    private static let pinValidation: [LegacyError] = [
        .init(.pinValidation, 9011, "blackListed", .pinBlocked),
        .init(.pinValidation, 9012, "shouldNotBeASequence", .pinSequence),
        .init(.pinValidation, 9013, "shouldNotUseSimilarDigits", .pinTooManyRepeats),
        .init(.pinValidation, 9014, "wrongPinLength", .pinWrongLength),
    ]

    private static let authentication: [LegacyError] = [
        .init(.authentication, 9009, "invalidPin", .wrongPIN),
        .init(.authentication, 9015, "authenticatorInvalid", .authenticatorInvalid),
        .init(.authentication, 9022, "authenticatorDeregistered", .authenticatorDeregistered),
        .init(.authentication, 9027, "customAuthenticatorFailure", .authenticatorFailed),
        .init(.authentication, 9030, "biometricAuthenticatorFailure", .biometricFailed),
        .init(.authentication, 10007, "authenticatorNotRegistered", .authenticatorNotRegistered),
        .init(.authentication, 10017, "customAuthenticationDisabled", .methodNotSupported),
    ]

    private static let authenticators: [LegacyError] = [
        .init(.authenticatorRegistration, 9010, "userNotAuthenticated", .notSignedIn),
        .init(.authenticatorRegistration, 9015, "authenticatorInvalid", .authenticatorInvalid),
        .init(
            .authenticatorRegistration, 9027, "customAuthenticatorFailure", .authenticatorFailed),
        .init(.authenticatorRegistration, 10004, "alreadyRegistered", .alreadyRegistered),
        .init(.authenticatorRegistration, 10006, "notSupported", .methodNotSupported),
        .init(
            .authenticatorRegistration, 10020, "customAuthenticationDisabled",
            .authenticatorNotOffered),
        .init(.authenticatorDeregistration, 9010, "userNotAuthenticated", .notSignedIn),
        .init(.authenticatorDeregistration, 9028, "deregisteredLocally", nil),
        .init(
            .authenticatorDeregistration, 10006, "notSupported", .authenticatorNotRegistered),
        .init(
            .authenticatorDeregistration, 10008, "pinCannotBeRemoved", .pinCannotBeRemoved),
        .init(.authenticatorDeregistration, 10020, "customAuthenticationDisabled", nil),
        .init(.pinChange, 9010, "userNotAuthenticated", .notSignedIn),
        .init(.pinChange, 9033, "statelessUser", .pinNotSet),
    ]

    private static let approvals: [LegacyError] = [
        .init(.approvals, 9010, "userNotAuthenticated", .notSignedIn),
        .init(.approvals, 9016, "deviceAlreadyEnrolled", nil),
        .init(.approvals, 9017, "enrollmentNotAvailable", .approvalsNotOffered),
        .init(.approvals, 9018, "userAlreadyEnrolled", nil),
        .init(.approvals, 9021, "notEnrolled", .notEnrolled),
        .init(.approvals, 9020, "userDisenrolled", .notEnrolled),
        .init(.approvals, 9029, "alreadyHandled", .approvalHandled),
        .init(.approvals, 9033, "statelessUser", .notRegistered),
        .init(.approvals, 10013, "notFound", .approvalNotFound),
        .init(.approvals, 10018, "notHandleable", .approvalRefused),
    ]

    private static let rest: [LegacyError] = [
        .init(.deregistration, 10003, "localDeregistration", nil),
        .init(.signOut, 10009, "localLogout", nil),
        .init(.webHandoff, 9010, "userNotAuthenticated", .notSignedIn),
        .init(.webHandoff, 10023, "disabled", .webTargetRefused),
        .init(.resource, 9010, "userNotAuthenticated", .notSignedIn),
        .init(.resource, 9026, "userNotAuthenticatedImplicitly", .pinRequired),
        .init(.resource, 10010, "invalidMethod", .requestInvalid),
        .init(.resource, 10012, "deviceNotAuthenticated", nil),
        .init(.resource, 10019, "invalidHeaders", .requestInvalid),
    ]
}
