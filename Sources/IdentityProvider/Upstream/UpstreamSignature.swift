// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Whether an upstream provider has signed something: an ID token, user info, a logout token.
struct UpstreamSignature: Sendable {
    let metadata: UpstreamMetadata
    let context: CeremonyContext
    /// What it is, for the log.
    let thing: String

    /// By one of the keys that it publishes, which are fetched again, once, for a key that is not
    /// among those that we have.
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
