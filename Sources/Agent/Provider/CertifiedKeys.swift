// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// A provider's keys, each with the certificates that lead to a root (`x5c`, RFC 7517 section 4.7):
/// what Apple's `jwksTrustedRootCertificates` asks for.
enum CertifiedKeys {
    /// Checks every key of the set, also those that this machine has no use for.
    ///
    /// - Parameters:
    ///   - body: the JWK set as it was sent.
    ///   - roots: DER; their keys are trusted.
    static func check(
        _ body: [UInt8], roots: [[UInt8]], now: Timestamp
    ) async throws(CertifiedKeysError) {
        guard let anchors = try? RootKeys(der: roots) else {
            throw CertifiedKeysError("the configured roots are not certificates")
        }
        let set = try? JSONParser.parseObject(body, maximumBytes: JWKSet.maximumBytes)
        let keys = (set?["keys"]?.array ?? []).prefix(JWKSet.maximumKeys)
        for (index, key) in keys.enumerated() {
            if let fault = await fault(of: key, anchors, now) {
                throw CertifiedKeysError("key \(index): \(fault)")
            }
        }
    }

    private static func fault(
        of key: JSONValue, _ roots: RootKeys, _ now: Timestamp
    ) async -> String? {
        guard let texts = key["x5c"]?.array, !texts.isEmpty else { return "it has no x5c" }
        let certificates = texts.map { $0.string.flatMap { Base64.decode($0) } }
        guard let object = key.object, let own = try? JSONWebKey(object).publicKey else {
            return "it is not a public key"
        }
        let chain: AttestationChain
        do throws(AttestationChainError) {
            chain = try AttestationChain(der: certificates.map { $0 ?? [] })
        } catch { return error.reason }
        guard chain.leaf.publicKey?.thumbprint == own.thumbprint else {
            return "its certificate is of another key"
        }
        return await chain.refusal(roots: roots, now: now)
    }
}
