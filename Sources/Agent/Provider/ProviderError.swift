// SPDX-License-Identifier: Apache-2.0
package import PKCS11

/// Why a provider did not give what was asked for.
package enum ProviderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The password, key or refresh token is not good: a person has to do something.
    case wrongCredential(String)
    /// Nothing that a person did: it is tried again later.
    case later(String)
    /// The provider does not know this machine, or not any more.
    case deviceUnknown(String)
    /// The provider does not know the key that something was sealed with, or will not use it for this
    /// person and machine: no time changes that.
    case contextRefused
    /// No answer came.
    case unreachable(String)
    /// An answer came that cannot be trusted.
    case notTrusted(String)
    /// The response is for another person than the known one.
    case anotherPerson
    /// The machine's own keys do not work.
    case keys(String)
    /// The person's smart card does not do its part.
    case card(PKCS11Error)
    /// The person's key is behind a PIN.
    case pin(KeyPINError)

    package var description: String {
        switch self {
        case .wrongCredential(let reason): "the provider does not accept it: \(reason)"
        case .later(let reason): "the provider cannot do it now: \(reason)"
        case .deviceUnknown(let reason): "the provider does not know this device: \(reason)"
        case .contextRefused: "the provider does not know the key of the seal"
        case .unreachable(let reason): "the provider cannot be reached: \(reason)"
        case .notTrusted(let reason): "the provider's response is invalid: \(reason)"
        case .anotherPerson: "the response of the provider names another person"
        case .keys(let reason): "the keys of this device do not work: \(reason)"
        case .card(let error): "the smart card: \(error)"
        case .pin(let error): error.description
        }
    }

    /// Whether offline rules apply.
    package var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
}
