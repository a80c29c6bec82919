// SPDX-License-Identifier: Apache-2.0
import JOSE
package import ProviderCore

/// Decrypts what an upstream provider encrypted to this provider (OpenID Connect Core sections
/// 5.3.2 and 10.2: signed first, then encrypted). The result is verified like an unencrypted token.
struct UpstreamDecryption: Sendable {
    let context: CeremonyContext
    /// The name of the content for the log.
    let thing: String

    /// The algorithms of the published encryption keys.
    static let algorithms: [JWEAlgorithm] = [.ecdhES]

    /// A compact JWE has five parts, a JWS three.
    static func isEncrypted(_ token: String) -> Bool {
        token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 4
    }

    /// - Parameter isDemanded: whether unencrypted content is refused.
    func open(
        _ token: String, isDemanded: Bool = false, maximumBytes: Int
    ) async -> Result<String, UpstreamError> {
        guard Self.isEncrypted(token) else {
            return isDemanded
                ? .failure(.wrong("\(thing) is not encrypted")) : .success(token)
        }
        do {
            let jwe = try UnverifiedJWE(compact: token, maximumBytes: maximumBytes)
            guard let opened = try await decrypt(jwe) else {
                return .failure(.wrong("\(thing), encrypted, is not a string"))
            }
            return .success(opened)
        } catch {
            return .failure(.wrong("\(thing), encrypted: \(error)"))
        }
    }

    /// Decrypts with the key of the `kid`, or tries each key. Rotated keys still decrypt.
    private func decrypt(_ jwe: UnverifiedJWE) async throws -> String? {
        let keys = try await context.provider.encryptionKeys.keys(of: context.tenant)
        let named = keys.filter { $0.publicKey.keyID == jwe.header.keyID }
        var failure: any Error = JOSEError(.keyNotFound, "no key of this provider")
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
    /// The JWK set for upstream providers: the keys that sign client assertions, and the one to
    /// encrypt ID tokens to.
    package func upstreamKeySet(of tenant: Tenant) async throws -> [UInt8] {
        let signing = try JWKSet(bytes: try await keys.jwks(of: tenant))
        let encryption = try await encryptionKeys.current(of: tenant)
        var document = signing.publicJSON.object ?? JSONObject()
        let listed = document["keys"]?.array ?? []
        document["keys"] = .array(listed + [encryption?.json].compactMap(\.self))
        return document.json.bytes
    }
}
