// SPDX-License-Identifier: Apache-2.0
import CTAP

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
