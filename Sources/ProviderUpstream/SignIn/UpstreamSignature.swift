// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderCore

/// Verifies the signature of an upstream provider on an ID token, user info, or a logout token.
struct UpstreamSignature: Sendable {
    let metadata: UpstreamMetadata
    let context: CeremonyContext
    /// The name of the content for the log.
    let thing: String

    /// Verifies with the published keys. They are fetched again once if the key is not among the
    /// cached ones.
    func verify(_ jws: UnverifiedJWS) async -> Result<VerifiedJWS, UpstreamError> {
        guard let address = metadata.jwksURI else { return .failure(.wrong("there are no keys")) }
        for isRetry in [false, true] {
            let found = await context.provider.upstreamDirectory.keys(
                at: address, isRetry: isRetry, now: context.now)
            switch found {
            case .failure(let failure): return .failure(failure)
            case .success(let keys):
                do throws(JOSEError) {
                    let verifier = JWSVerifier(keys: keys, algorithms: metadata.algorithms)
                    return .success(try verifier.verify(jws))
                } catch {
                    guard !isRetry, error.code == .keyNotFound else {
                        return .failure(.wrong("\(thing): \(error)"))
                    }
                }
            }
        }
        return .failure(.wrong("\(thing): no key"))
    }
}
