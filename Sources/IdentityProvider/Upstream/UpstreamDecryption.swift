// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage

/// ID tokens that an upstream provider encrypts for us (OpenID Connect Core section 10.2: signed
/// first, then encrypted): the signed one comes out, and is checked like any other.
struct UpstreamDecryption: Sendable {
    let provider: UpstreamProvider
    let context: CeremonyContext

    /// What our keys are published for.
    static let algorithms: [JWEAlgorithm] = [.ecdhES]

    func open(
        _ answer: UpstreamTokenRequest.Answer
    ) async -> Result<UpstreamTokenRequest.Answer, UpstreamFailure> {
        guard let token = answer.idToken else { return .success(answer) }
        guard token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 4 else {
            return provider.settings.encryptsIDTokens
                ? .failure(.wrong("the ID token is not encrypted")) : .success(answer)
        }
        do {
            let jwe = try UnverifiedJWE(
                compact: token, maximumBytes: UpstreamIDTokenCheck.maximumBytes)
            var opened = answer
            opened.idToken = try await decrypt(jwe)
            return opened.idToken == nil
                ? .failure(.wrong("the encrypted ID token is no text")) : .success(opened)
        } catch {
            return .failure(.wrong("the encrypted ID token: \(error)"))
        }
    }

    /// By the key that it names, or by each that we have: one that was rotated out still opens.
    private func decrypt(_ jwe: UnverifiedJWE) async throws -> String? {
        let keys = try await context.provider.encryptionKeys.keys(of: context.tenant)
        let named = keys.filter { $0.publicKey.keyID == jwe.header.keyID }
        var failure: any Error = JOSEError(.keyNotFound, "no key of ours")
        for key in jwe.header.keyID == nil ? keys : named {
            do {
                let decrypter = JWEDecrypter(
                    key: .privateKey(key), algorithms: Self.algorithms)
                let plaintext = try decrypter.decrypt(jwe).plaintext
                return String(validating: plaintext, as: UTF8.self)
            } catch { failure = error }
        }
        throw failure
    }
}

extension Provider {
    /// What an upstream provider is to know of us: the keys that sign our assertions, and the one
    /// to encrypt ID tokens to.
    package func upstreamKeySet(of tenant: Tenant) async throws -> [UInt8] {
        let signing = try JWKSet(bytes: try await keys.jwks(of: tenant))
        let encryption = try await encryptionKeys.current(of: tenant)
        var document = signing.publicJSON.object ?? JSONObject()
        let listed = document["keys"]?.array ?? []
        document["keys"] = .array(listed + [encryption?.json].compactMap(\.self))
        return document.json.bytes
    }
}
