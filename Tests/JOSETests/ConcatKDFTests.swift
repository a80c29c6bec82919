// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing

@Suite("ECDH-ES key derivation")
struct ConcatKDFTests {
    @Test("RFC 7518 appendix C: Alice and Bob derive VqqN6vgjbSBcIijNcacQGg")
    func appendixC() throws {
        let bob = try JSONWebKey(
            bytes: bytes(
                #"{"kty":"EC","crv":"P-256","x":"weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ","y":"e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck","d":"VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"}"#
            ))
        let alice = try JSONWebKey(
            bytes: bytes(
                #"{"kty":"EC","crv":"P-256","x":"gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0","y":"SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps","d":"0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo"}"#
            ))
        for (own, other) in [(bob, alice), (alice, bob)] {
            let secret = try KeyAgreement.sharedSecret(
                #require(own.privateKey), #require(other.publicKey))
            let key = ConcatKDF.derive(
                sharedSecret: secret, algorithmID: "A128GCM", apu: bytes("Alice"),
                apv: bytes("Bob"), length: 16)
            #expect(Base64URL.encode(key) == "VqqN6vgjbSBcIijNcacQGg")
        }
    }
}
