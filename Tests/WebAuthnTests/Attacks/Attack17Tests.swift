// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing
import WebAuthn

@Suite("Attack 17: algorithm confusion")
struct Attack17Tests {
    /// A registration whose COSE key says `algorithm` over the parameters of another key.
    private static func registered(
        _ key: TestKey, as algorithm: Int64, offered: [COSEAlgorithm] = COSEAlgorithm.allCases
    ) async -> WebAuthnRefusal? {
        var ceremony = RegistrationCeremony()
        let entries = (key.cose.entries ?? []).map {
            $0.key == .integer(3) ? CBOREntry($0.key, .integer(algorithm)) : $0
        }
        ceremony.authenticatorData = ceremony.passkey.attestedAuthenticatorData(
            coseKey: CBORValue.map(entries).encoded(ordering: .ctap2))
        ceremony.expectation.algorithms.credentialKeys = offered
        return await ceremony.verify().refusal
    }

    static let kinds: [[COSEAlgorithm]] = [
        [.es256, .esp256], [.es384, .esp384], [.es512, .esp512], [.es256k],
        [.edDSA, .ed25519], [.ed448], [.mlDSA44], [.mlDSA65], [.mlDSA87],
        [.rs1, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512],
    ]

    @Test("Attack 17: a key under every algorithm that is not for its type and curve")
    func typeAndCurve() async throws {
        for kind in Self.kinds {
            let key = try TestKey.make(kind[0])
            for algorithm in COSEAlgorithm.allCases {
                let refused = await Self.registered(key, as: algorithm.rawValue)
                #expect(
                    refused
                        == (kind.contains(algorithm)
                            ? nil : refusal(.registration, 20, .publicKeyInvalid)),
                    "\(kind[0]) as \(algorithm)")
            }
        }
    }

    @Test("Attack 17: an algorithm that was not offered")
    func notOffered() async throws {
        let refused = await Self.registered(try .make(.es384), as: -35, offered: [.es256, .rs256])
        #expect(refused == refusal(.registration, 20, .algorithmNotAllowed))
    }

    @Test(
        "Attack 17: an unknown algorithm",
        arguments: [0, 1, -1, -6, -46, -260, -65534, -65536, .min, .max] as [Int64])
    func unknown(_ number: Int64) async throws {
        let refused = await Self.registered(try .make(.es256), as: number)
        #expect(refused == refusal(.registration, 20, .algorithmNotAllowed))
    }

    @Test("Attack 17: -2^64, which no integer type holds")
    func beyondInt64() async throws {
        for value in [CBORValue.negative(.max), .unsigned(.max)] {
            var ceremony = RegistrationCeremony()
            let entries = (try TestKey.make(.es256).cose.entries ?? []).map {
                $0.key == .integer(3) ? CBOREntry($0.key, value) : $0
            }
            ceremony.authenticatorData = ceremony.passkey.attestedAuthenticatorData(
                coseKey: CBORValue.map(entries).encoded(ordering: .ctap2))
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 20, .algorithmNotAllowed))
        }
    }

    @Test("Attack 17: self attestation by another algorithm than the credential's")
    func selfAttestation() async throws {
        for algorithm in COSEAlgorithm.allCases where algorithm != .es256 {
            var made = try Attested.packedSelf()
            made.statement["alg"] = .integer(algorithm.rawValue)
            #expect(await made.refusal() == statementRefusal(.attestationAlgorithmMismatch))
        }
    }

    @Test("Attack 17: an attestation algorithm that does not fit the certificate's key")
    func certificate() async throws {
        let fitting: [COSEAlgorithm] = [.es256, .esp256]
        for algorithm in COSEAlgorithm.allCases where !fitting.contains(algorithm) {
            var made = try Attested.packed()
            made.ceremony.expectation.algorithms.statements = Set(COSEAlgorithm.allCases)
            made.statement["alg"] = .integer(algorithm.rawValue)
            #expect(await made.refusal() == statementRefusal(.attestationAlgorithmMismatch))
        }
    }

    @Test("Attack 17: attestation by RS1 is refused before its signature is looked at")
    func rs1() async throws {
        var made = try Attested.packed()
        made.statement["alg"] = .integer(-65535)
        #expect(await made.refusal() == statementRefusal(.attestationAlgorithmNotAllowed))
    }

    @Test("Attack 17: a TPM statement whose algorithm signs no hash, or is unknown")
    func tpm() async throws {
        for number in [-8, -53, -49, 0, -48] as [Int64] {
            var made = try Attested.tpm()
            made.statement["alg"] = .integer(number)
            #expect(await made.refusal() == statementRefusal(.attestationAlgorithmMismatch))
        }
    }
}
