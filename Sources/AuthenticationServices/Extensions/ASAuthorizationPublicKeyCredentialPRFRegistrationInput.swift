// SPDX-License-Identifier: Apache-2.0
import CTAP

/// The request whether a new credential can derive secrets.
public struct ASAuthorizationPublicKeyCredentialPRFRegistrationInput: Sendable {
    /// Inputs.
    public typealias InputValues = ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues

    /// Inputs to use at once, where the authenticator can.
    public let inputValues: InputValues?

    /// Only requests the support.
    public static let checkForSupport = Self(inputValues: nil)

    /// Requests the support, and derives at once if the authenticator can.
    public static func inputValues(_ inputValues: InputValues) -> Self {
        Self(inputValues: inputValues)
    }

    var request: PRFRequest { PRFRequest(eval: inputValues?.values) }
}
