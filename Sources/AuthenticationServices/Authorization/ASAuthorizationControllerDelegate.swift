// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The receiver of an authorization's result: one of these methods is called, once, on the main
/// actor.
@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    /// The authorization succeeded.
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization)

    /// The authorization failed; the error is an ``ASAuthorizationError``.
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithError error: any Error)

    /// The person chose a way of the app's own.
    func authorizationController(
        _ controller: ASAuthorizationController,
        didCompleteWithCustomMethod method: ASAuthorizationCustomMethod)
}

/// Every method is optional, as it is on Apple's systems.
extension ASAuthorizationControllerDelegate {
    /// Does nothing.
    public func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {}

    /// Does nothing.
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithError error: any Error
    ) {}

    /// Does nothing.
    public func authorizationController(
        _ controller: ASAuthorizationController,
        didCompleteWithCustomMethod method: ASAuthorizationCustomMethod
    ) {}
}

/// A way to sign in that is the app's own.
public struct ASAuthorizationCustomMethod: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String

    /// - Parameter rawValue: its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// - Parameter rawValue: its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// A video subscriber's account.
    public static let videoSubscriberAccount = Self("videoSubscriberAccount")
    /// Restoring purchases.
    public static let restorePurchase = Self("restorePurchase")
    /// Anything else.
    public static let other = Self("other")
}
