// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Crypto
import WebAuthn
import X509

/// A registration with an attestation of any format that would pass, until a test spoils a part
/// of it. Each format has a maker in an extension.
struct Attested {
    var ceremony = RegistrationCeremony()
    let authority: AttestationAuthority
    var statement: [String: CBORValue] = [:]

    /// Asks for attestation that leads to the authority's root.
    init(format: String, authority: AttestationAuthority? = nil) throws {
        self.authority = try authority ?? AttestationAuthority()
        ceremony.format = format
        try trust([try self.authority.root.der])
    }

    mutating func trust(_ anchors: [[UInt8]]) throws {
        ceremony.expectation.attestation = try AttestationPolicy(
            conveyance: .direct, trustAnchors: anchors)
    }

    var policy: AttestationPolicy {
        get { ceremony.expectation.attestation }
        set { ceremony.expectation.attestation = newValue }
    }

    var clientDataHash: [UInt8] { Array(SHA256.hash(data: ceremony.clientDataJSON)) }
    var message: [UInt8] { ceremony.signedData + clientDataHash }

    /// The credential's public key, as a certificate would hold it.
    var credentialKey: Certificate.PublicKey { .init(ceremony.passkey.key.publicKey) }

    /// The credential gets this key.
    mutating func use(_ key: TestKey) {
        ceremony.authenticatorData = ceremony.passkey.attestedAuthenticatorData(
            coseKey: key.cose.encoded(ordering: .ctap2))
        ceremony.expectation.algorithms.credentialKeys = COSEAlgorithm.withoutSHA1
    }

    func verify() async -> Result<VerifiedRegistration, WebAuthnRefusal> {
        var ceremony = ceremony
        ceremony.statement = statement.map { CBOREntry(.text($0), $1) }
        return await ceremony.verify()
    }

    func refusal() async -> WebAuthnRefusal? { await verify().refusal }

    /// The refusal after a change.
    func refusal(_ spoil: (inout Attested) throws -> Void) async rethrows -> WebAuthnRefusal? {
        var copy = self
        try spoil(&copy)
        return await copy.refusal()
    }
}

/// Step 7.1.22: the statement is not correct.
func statementRefusal(_ code: WebAuthnRefusal.Code) -> WebAuthnRefusal {
    refusal(.registration, 22, code)
}

/// Step 7.1.24: it is correct, but not trusted.
func trustRefusal(_ code: WebAuthnRefusal.Code) -> WebAuthnRefusal {
    refusal(.registration, 24, code)
}

func x5c(_ path: [[UInt8]]) -> CBORValue { .array(path.map { CBORValue.byteString($0) }) }

/// One element of DER, for structures that no library writes wrongly enough.
func der(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let length =
        switch content.count {
        case ..<0x80: [UInt8(content.count)]
        case ..<0x100: [0x81, UInt8(content.count)]
        default: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
        }
    return tag + length + content
}

/// Knows the models that a test tells it.
struct TestTrustSource: AttestationTrustSource {
    var models: [AuthenticatorModel: AuthenticatorTrust]

    func statement(for model: AuthenticatorModel) -> AuthenticatorTrust? { models[model] }
}
