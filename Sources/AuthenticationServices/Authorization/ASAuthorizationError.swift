// SPDX-License-Identifier: Apache-2.0
public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of ``ASAuthorizationError``.
public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"

/// The reason why an authorization did not succeed.
public struct ASAuthorizationError: Error, CustomNSError, LocalizedError, Hashable, Sendable {
    /// The codes, with Apple's numbers.
    public enum Code: Int, Sendable, Hashable {
        /// An error without a specific code.
        case unknown = 1000
        /// The person cancelled, did not act in time, or there was nothing to offer at once.
        case canceled = 1001
        /// The authenticator's response is invalid.
        case invalidResponse = 1002
        /// No authenticator is there that could serve the request.
        case notHandled = 1003
        /// The request failed; the description contains the reason.
        case failed = 1004
        /// A person is required, but interaction is not possible.
        case notInteractive = 1005
        /// A credential of the exclude list is on the authenticator already.
        case matchedExcludedCredential = 1006
        /// The import of a credential failed.
        case credentialImport = 1007
        /// The export of a credential failed.
        case credentialExport = 1008
        /// The person prefers to sign in with Apple.
        case preferSignInWithApple = 1009
        /// The device is not set up for passkeys.
        case deviceNotConfiguredForPasskeyCreation = 1010
    }

    /// The kind of the error.
    public let code: Code
    private let texts: [String: String]

    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - userInfo: Texts under the keys of `NSError`; other values are ignored.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        texts = userInfo.compactMapValues { $0 as? String }
    }

    package init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }

    /// The domain of every such error.
    public static var errorDomain: String { ASAuthorizationErrorDomain }
    /// The code's number.
    public var errorCode: Int { code.rawValue }
    /// Texts under the keys of `NSError`.
    public var errorUserInfo: [String: Any] { userInfo }
    /// Texts under the keys of `NSError`.
    public var userInfo: [String: Any] { texts }
    /// The error and the remedy, for a person.
    public var errorDescription: String? {
        texts[NSLocalizedDescriptionKey] ?? "The authorization did not succeed (\(code.rawValue))."
    }
}

extension ASAuthorizationError.Code {
    /// Whether an error is an authorization error of that code.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? ASAuthorizationError)?.code == code
    }
}

extension ASAuthorizationError {
    /// An error without a specific code.
    public static var unknown: Code { .unknown }
    /// The person cancelled, did not act in time, or there was nothing to offer at once.
    public static var canceled: Code { .canceled }
    /// The authenticator's response is invalid.
    public static var invalidResponse: Code { .invalidResponse }
    /// No authenticator is there that could serve the request.
    public static var notHandled: Code { .notHandled }
    /// The request failed; the description contains the reason.
    public static var failed: Code { .failed }
    /// A person is required, but interaction is not possible.
    public static var notInteractive: Code { .notInteractive }
    /// A credential of the exclude list is on the authenticator already.
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
    /// The import of a credential failed.
    public static var credentialImport: Code { .credentialImport }
    /// The export of a credential failed.
    public static var credentialExport: Code { .credentialExport }
    /// The person prefers to sign in with Apple.
    public static var preferSignInWithApple: Code { .preferSignInWithApple }
    /// The device is not set up for passkeys.
    public static var deviceNotConfiguredForPasskeyCreation: Code {
        .deviceNotConfiguredForPasskeyCreation
    }
}
