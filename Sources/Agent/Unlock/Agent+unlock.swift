// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PlatformSSO
package import Primitives
import WebAuthn

extension Agent {
    /// Protects a secret so that nothing on the disk opens it without the provider.
    package func seal(_ secret: Secret, of person: String) throws -> JSONObject {
        guard let unlock = record.people[person]?.unlock else { throw AgentRefusal.noUnlockKey }
        guard secret.withBytes({ 1...SealedSecret.greatestSecret ~= $0.count }) else {
            throw AgentRefusal.malformed
        }
        guard let recipient = Self.key(of: unlock.certificate) else {
            throw AgentRefusal.noUnlockKey
        }
        return try SealedSecret(
            sealing: secret, for: person, recipient: recipient, context: unlock.context,
            random: exchange.random
        ).json
    }

    /// Opens what ``seal(_:of:)`` made; the provider is asked each time.
    package func unseal(_ object: JSONObject, of person: String) async throws -> Secret {
        let sealed = try SealedSecret(object)
        guard sealed.account == person else { throw AgentRefusal.sealedElsewhere }
        guard let (client, user) = client(for: person) else { throw AgentRefusal.notRegistered }
        guard let token = record.people[person]?.session?.refreshToken else {
            throw AgentRefusal.signedOut
        }
        do throws(ProviderFailure) {
            let agreed = try await client.agree(
                user, token: token, with: sealed.ephemeral, context: sealed.context)
            return try opened(sealed, agreed)
        } catch { throw AgentRefusal.provider(error) }
    }

    private func opened(
        _ sealed: SealedSecret, _ agreed: Secret
    ) throws(ProviderFailure) -> Secret {
        do throws(AgentRefusal) { return try sealed.open(agreed) } catch {
            throw .notTrusted(error.description)
        }
    }

    /// The P-256 key of a certificate.
    private static func key(of certificate: [UInt8]) -> PublicJWK? {
        UnlockCertificateKey.read(certificate)
    }
}
