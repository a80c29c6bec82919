// SPDX-License-Identifier: Apache-2.0

extension IdentityError {
    /// The kind of an error.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A text for logs, without a secret.
        public var description: String { rawValue }

        // MARK: Reaching the provider

        /// There is no way to the provider from here.
        public static let notReachable = Code(rawValue: "notReachable")
        /// The server's certificate is not trusted, for example because its authority is not among
        /// ``ClientConfiguration/pinnedCertificates``: an intercepting network, or an outdated pin.
        /// Nothing was sent.
        public static let notTrusted = Code(rawValue: "notTrusted")
        /// The provider answered that it cannot answer now.
        public static let providerUnavailable = Code(rawValue: "providerUnavailable")
        /// The response violates the protocol. If it does not come from the provider (a gateway's
        /// page, a redirect), ``IdentityError/retry`` is `later`.
        public static let invalidAnswer = Code(rawValue: "invalidAnswer")
        /// The provider refused the request as such: a fault of the app or the SDK.
        public static let requestInvalid = Code(rawValue: "requestInvalid")
        /// Too much was asked in too short a time.
        public static let tooManyRequests = Code(rawValue: "tooManyRequests")

        // MARK: Configuration

        /// The configuration is not usable: ``IdentityError/reason`` says where.
        public static let configurationInvalid = Code(rawValue: "configurationInvalid")
        /// The project does not offer that way to register or sign in.
        public static let methodNotSupported = Code(rawValue: "methodNotSupported")
        /// The identity provider that was named is not there, or disabled.
        public static let identityProviderInvalid = Code(rawValue: "identityProviderInvalid")
        /// The operator's own identity provider refuses: ``IdentityError/providerAnswer`` says more.
        public static let identityProviderRefused = Code(rawValue: "identityProviderRefused")
        /// The operator's own identity provider gave the provider no answer; later perhaps.
        public static let identityProviderUnavailable = Code(
            rawValue: "identityProviderUnavailable")

        /// The project lets in newer versions of the app only: ``IdentityError/update`` says which.
        /// Nothing was lost by it.
        public static let outdatedApplication = Code(rawValue: "outdatedApplication")
        /// The project lets in newer versions of the system only. Nothing was lost by it.
        public static let outdatedSystem = Code(rawValue: "outdatedSystem")

        // MARK: This installation

        /// The store cannot be read or written at the moment; nothing in it was lost.
        public static let storageUnavailable = Code(rawValue: "storageUnavailable")
        /// The store is locked until the device is unlocked; nothing in it was lost.
        public static let protectedDataUnavailable = Code(rawValue: "protectedDataUnavailable")
        /// A record in the store was changed by another program, and cannot be read. A sign-in
        /// replaces tokens, a registration a PIN. ``IdentityError/profile`` names a damaged
        /// profile; ``IdentityError/reason`` names other records.
        public static let storageDamaged = Code(rawValue: "storageDamaged")
        /// This machine's clock is wrong by days, and the provider does not say what time it is:
        /// otherwise the SDK goes by the provider's.
        public static let clockWrong = Code(rawValue: "clockWrong")
        /// The device or app cannot prove what the project asks of it.
        public static let attestationFailed = Code(rawValue: "attestationFailed")

        // MARK: The course of a ceremony

        /// The person or the app cancelled, or a challenge was released without a response.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A challenge was answered before; each takes one answer.
        public static let challengeAlreadyAnswered = Code(rawValue: "challengeAlreadyAnswered")
        /// The operation took too long.
        public static let expired = Code(rawValue: "expired")
        /// The browser's answer belongs to another ceremony.
        public static let redirectMismatch = Code(rawValue: "redirectMismatch")

        // MARK: Who is registered and signed in

        /// The profile does not exist, or no person is registered. Its domain is that of the
        /// operation.
        public static let notRegistered = Code(rawValue: "notRegistered")
        /// The person, the key or the device is registered already.
        public static let alreadyRegistered = Code(rawValue: "alreadyRegistered")
        /// The idempotency key belongs to a registration with another key or method.
        public static let registrationIDTaken = Code(rawValue: "registrationIDTaken")
        /// The person is not signed in.
        public static let notSignedIn = Code(rawValue: "notSignedIn")
        /// The credential or proof was refused.
        public static let notAuthorized = Code(rawValue: "notAuthorized")
        /// The external credential's times are in another unit than its issuer is registered with.
        public static let credentialTimeUnit = Code(rawValue: "credentialTimeUnit")
        /// The access token lacks a scope.
        public static let scopeMissing = Code(rawValue: "scopeMissing")
        /// The project does not let this person close their account here.
        public static let deregistrationRefused = Code(rawValue: "deregistrationRefused")

        // MARK: PIN

        /// A wrong PIN; the flow asks again.
        public static let wrongPIN = Code(rawValue: "wrongPIN")
        /// Too many wrong PINs: the provider has ended the profile, and it was wiped here.
        public static let profileLocked = Code(rawValue: "profileLocked")
        /// The provider has ended this device's registration, and it was wiped here.
        public static let deviceRevoked = Code(rawValue: "deviceRevoked")
        /// The PIN contains a character that is not a decimal digit.
        public static let pinNotDigits = Code(rawValue: "pinNotDigits")
        /// The policy asks for another length.
        public static let pinWrongLength = Code(rawValue: "pinWrongLength")
        /// Too many people choose that PIN.
        public static let pinBlocked = Code(rawValue: "pinBlocked")
        /// Its digits follow one another by one step.
        public static let pinSequence = Code(rawValue: "pinSequence")
        /// One digit repeats too often in a row.
        public static let pinTooManyRepeats = Code(rawValue: "pinTooManyRepeats")
        /// The project requires a PIN at registration, and the registration did not prompt for one.
        public static let pinRequired = Code(rawValue: "pinRequired")
        /// The profile has no PIN.
        public static let pinNotSet = Code(rawValue: "pinNotSet")
        /// An earlier version of the SDK stored the PIN, and this app cannot open it: the person
        /// registers again. See ``EarlierPINs``.
        public static let pinOutdated = Code(rawValue: "pinOutdated")
        /// The authenticator is not set up for the profile.
        public static let authenticatorNotRegistered = Code(
            rawValue: "authenticatorNotRegistered")

        /// The project does not want that authenticator, or not so many.
        public static let authenticatorNotOffered = Code(rawValue: "authenticatorNotOffered")
        /// The device has not recognised the person: another authenticator than biometrics.
        public static let authenticatorFailed = Code(rawValue: "authenticatorFailed")
        /// The device's biometrics have not recognised the person, or are locked.
        public static let biometricFailed = Code(rawValue: "biometricFailed")
        /// The authenticator's key was deleted from the device, because the enrolment of the sensor
        /// has changed.
        public static let authenticatorInvalid = Code(rawValue: "authenticatorInvalid")
        /// The provider takes the authenticator no longer. It is kept here: this is no signed word.
        public static let authenticatorDeregistered = Code(
            rawValue: "authenticatorDeregistered")
        /// The PIN, and the key of an installation, go with the profile.
        public static let pinCannotBeRemoved = Code(rawValue: "pinCannotBeRemoved")

        // MARK: Approvals

        /// The project asks for no approvals in apps, or this profile cannot be asked.
        public static let approvalsNotOffered = Code(rawValue: "approvalsNotOffered")
        /// This installation is not enrolled for approvals.
        public static let notEnrolled = Code(rawValue: "notEnrolled")
        /// Another installation has responded, or must respond.
        public static let approvalHandled = Code(rawValue: "approvalHandled")
        /// The approval request does not exist, or has expired.
        public static let approvalNotFound = Code(rawValue: "approvalNotFound")
        /// The provider refuses the signed response for this approval request.
        public static let approvalRefused = Code(rawValue: "approvalRefused")

        // MARK: Entitlements and the web

        /// The remaining amount is smaller than the requested one. Nothing was consumed.
        public static let insufficientEntitlements = Code(rawValue: "insufficientEntitlements")
        /// The idempotency key stood for another use of an entitlement: choose a new one.
        public static let idempotencyKeyTaken = Code(rawValue: "idempotencyKeyTaken")
        /// The app's client is not allowed to open that URL.
        public static let webTargetRefused = Code(rawValue: "webTargetRefused")

        /// None of the others.
        public static let unknown = Code(rawValue: "unknown")
    }
}

extension IdentityError.Code {
    private static let forDevelopers: Set<IdentityError.Code> = [
        .invalidAnswer, .requestInvalid, .configurationInvalid, .methodNotSupported,
        .identityProviderInvalid, .challengeAlreadyAnswered, .redirectMismatch,
        .registrationIDTaken, .idempotencyKeyTaken, .credentialTimeUnit, .scopeMissing,
        .authenticatorNotRegistered, .pinNotSet, .pinRequired, .authenticatorNotOffered,
        .pinCannotBeRemoved, .approvalNotFound, .approvalRefused, .webTargetRefused, .unknown,
    ]

    var audience: IdentityError.Audience { Self.forDevelopers.contains(self) ? .developer : .user }

    private static let comesBack: Set<IdentityError.Code> = [
        .notReachable, .notTrusted, .providerUnavailable, .storageUnavailable,
        .protectedDataUnavailable, .tooManyRequests, .identityProviderUnavailable,
    ]

    private static let asksForOther: Set<IdentityError.Code> = [
        .wrongPIN, .pinNotDigits, .pinWrongLength, .pinBlocked, .pinSequence, .pinTooManyRepeats,
        .notAuthorized, .expired, .cancelled, .clockWrong, .registrationIDTaken,
        .idempotencyKeyTaken,
        .authenticatorFailed, .biometricFailed, .authenticatorInvalid,
        .authenticatorDeregistered,
    ]

    var usualAdvice: IdentityError.RetryAdvice {
        if Self.comesBack.contains(self) { return .later }
        if Self.asksForOther.contains(self) { return .withOtherInput }
        return [.notSignedIn, .scopeMissing].contains(self) ? .afterSignIn : .never
    }
}
