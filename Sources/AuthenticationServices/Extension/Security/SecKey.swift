// SPDX-License-Identifier: Apache-2.0
package import JOSE
import SSOExtensions
import SingleSignOn

/// A key: a public one, or a private one that stays with the agent, in hardware where there is some.
/// A private key works while the request is open in which the login manager gave it.
public final class SecKey: Hashable, Sendable, CustomStringConvertible {
    /// A private key in the agent's hands.
    struct Held: Sendable {
        let reference: ExtensionKeyReference
        let request: OpenRequest
    }

    package let publicKey: PublicJWK
    let held: Held?

    package init(_ key: PublicJWK) {
        publicKey = key
        held = nil
    }

    init(_ key: PublicJWK, _ reference: ExtensionKeyReference, in request: OpenRequest) {
        publicKey = key
        held = Held(reference: reference, request: request)
    }

    /// The public key; this process never has the private one.
    public var description: String {
        "<SecKey \(held == nil ? "public" : "private"), \(publicKey.thumbprintText)>"
    }

    /// Whether they are the same half of the same key.
    public static func == (left: SecKey, right: SecKey) -> Bool {
        left.publicKey == right.publicKey && (left.held == nil) == (right.held == nil)
    }

    /// Feeds the public half.
    public func hash(into hasher: inout Hasher) { hasher.combine(publicKey.thumbprint) }
}

// MARK: What keys are

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The public half of a key.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { SecKey(key.publicKey) }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A public key on a NIST curve as an ANSI X9.63 point, `04 || X || Y`. Private keys stay where they
/// are.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard key.held == nil, case .ellipticCurve(_, let x, let y) = key.publicKey.material else {
        return fail(error, "This key cannot be represented.")
    }
    return CFData([0x04] + x + y)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The public key of an ANSI X9.63 point on P-256 or P-384.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    let half = (keyData.count - 1) / 2
    let curve: EllipticCurve? = [32: .p256, 48: .p384][half]
    let point = Array(keyData)
    guard attributes[kSecAttrKeyType] as? String == kSecAttrKeyTypeECSECPrimeRandom,
        attributes[kSecAttrKeyClass] as? String == kSecAttrKeyClassPublic, let curve,
        point.count == 2 * half + 1, point.first == 0x04,
        let key = try? PublicJWK(
            .ellipticCurve(curve, x: Array(point[1...half]), y: Array(point[(half + 1)...])),
            parameters: KeyParameters())
    else { return fail(error, "This is not a public key on P-256 or P-384.") }
    return SecKey(key)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the key can be used so.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    switch operation {
    case .sign: key.held != nil && algorithm.fits(key.publicKey)
    case .verify: algorithm.fits(key.publicKey)
    case .keyExchange:
        if case .ellipticCurve = key.publicKey.material {
            key.held != nil && algorithm == .ecdhKeyExchangeStandard
        } else {
            false
        }
    }
}

// MARK: What keys do

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Signs a message with a private key. Waits for the agent.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ pointer: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard let held = key.held, SecKeyIsAlgorithmSupported(key, .sign, algorithm),
        let signature = algorithm.signature
    else { return fail(pointer, "This key does not sign so.") }
    do throws(ExtensionCallRefusal) {
        let call = ExtensionCall.sign(held.reference, signature, message: Array(dataToSign))
        guard case .data(let raw) = try held.request.call(call) else { return nil }
        guard algorithm.isX962 else { return CFData(raw) }
        return EllipticCurveSignature.der(raw, signature)
            ?? fail(pointer, "The signature is not one.")
    } catch {
        return fail(pointer, "The key did not sign: \(error.reason).")
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the signature over the message was made by the other half of the key.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    guard EllipticCurveSignature.holds(signature, over: signedData, algorithm, key.publicKey) else {
        let _: CFData? = fail(error, "The signature is not valid.")
        return false
    }
    return true
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the key agreement of a private key and another public key. Blocks until the agent
/// responds.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey,
    _ parameters: CFDictionary, _ pointer: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard let held = privateKey.held, parameters.isEmpty,
        SecKeyIsAlgorithmSupported(privateKey, .keyExchange, algorithm)
    else { return fail(pointer, "This key does not agree so.") }
    do throws(ExtensionCallRefusal) {
        let call = ExtensionCall.agree(held.reference, with: publicKey.publicKey)
        guard case .data(let secret) = try held.request.call(call) else { return nil }
        return CFData(secret)
    } catch {
        return fail(pointer, "The keys did not agree: \(error.reason).")
    }
}
