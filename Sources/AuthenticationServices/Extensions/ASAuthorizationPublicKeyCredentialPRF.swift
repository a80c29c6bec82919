// SPDX-License-Identifier: Apache-2.0
import CTAP
public import Crypto
public import Foundation
import JOSE
import Primitives

/// Inputs from which a credential derives secrets (WebAuthn section 10.1.4).
public struct ASAuthorizationPublicKeyCredentialPRFAssertionInput: Sendable {
    /// One or two inputs of any length.
    public struct InputValues: Hashable, Sendable {
        /// The input for the first secret.
        public var saltInput1: Data
        /// The input for the second secret.
        public var saltInput2: Data?

        /// One or two inputs.
        public static func saltInput1(_ saltInput1: Data, saltInput2: Data? = nil) -> Self {
            Self(saltInput1: saltInput1, saltInput2: saltInput2)
        }

        var values: PRFRequest.Values {
            .init(first: Array(saltInput1), second: saltInput2.map { Array($0) })
        }
    }

    /// The inputs for all credentials without specific inputs.
    public let inputValues: InputValues?
    /// Inputs by the identifier of the credential.
    public let perCredentialInputValues: [Data: InputValues]?

    /// The same inputs for every credential, but for those that have their own.
    public static func inputValues(
        _ inputValues: InputValues, perCredentialInputValues: [Data: InputValues]? = nil
    ) -> Self {
        Self(inputValues: inputValues, perCredentialInputValues: perCredentialInputValues)
    }

    /// Inputs for these credentials only.
    public static func perCredentialInputValues(
        _ perCredentialInputValues: [Data: InputValues]
    ) -> Self {
        Self(inputValues: nil, perCredentialInputValues: perCredentialInputValues)
    }

    var request: PRFRequest {
        let own = (perCredentialInputValues ?? [:]).map { (Array($0.key), $0.value.values) }
        return PRFRequest(
            eval: inputValues?.values,
            evalByCredential: Dictionary(own, uniquingKeysWith: { first, _ in first }))
    }
}

/// Secrets that a credential derived.
public struct ASAuthorizationPublicKeyCredentialPRFAssertionOutput: Sendable {
    /// The secret of the first input, 32 bytes.
    public let first: SymmetricKey
    /// The secret of the second input, 32 bytes.
    public let second: SymmetricKey?

    init?(_ results: JSONObject) {
        let values = results["prf"]?["results"]
        guard let first = Self.key(values?["first"]) else { return nil }
        self.first = first
        second = Self.key(values?["second"])
    }

    static func key(_ value: JSONValue?) -> SymmetricKey? {
        value?.string.flatMap { Base64URL.decode($0) }.map { SymmetricKey(data: $0) }
    }
}

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

/// Whether a new credential can derive secrets, and those that it derived.
public struct ASAuthorizationPublicKeyCredentialPRFRegistrationOutput: Sendable {
    /// Whether it can.
    public let isSupported: Bool
    /// The secret of the first input, 32 bytes.
    public let first: SymmetricKey?
    /// The secret of the second input, 32 bytes.
    public let second: SymmetricKey?

    init?(_ results: JSONObject) {
        guard let member = results["prf"]?.object, let enabled = member["enabled"]?.bool else {
            return nil
        }
        isSupported = enabled
        typealias Output = ASAuthorizationPublicKeyCredentialPRFAssertionOutput
        first = Output.key(member["results"]?["first"])
        second = Output.key(member["results"]?["second"])
    }
}
