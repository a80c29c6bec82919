// SPDX-License-Identifier: Apache-2.0
import OAuth
package import ProviderCore
import Storage

/// `grant_type=urn:ietf:params:oauth:grant-type:device_code`: RFC 8628 sections 3.4 and 3.5.
package struct DeviceCodeGrant: PersonTokenGrant {
    package let code: String

    package init(code: String) {
        self.code = code
    }

    package static let grantType = TokenRequest.deviceCodeGrantType
    package static let action = "token.device_code"
    package static let isMatchedByMessage = false

    package func verify(_ call: TokenRequestContext) async throws -> Result<[UInt8], Refusal> {
        .success(call.provider.secrets.hash(code.utf8, for: .deviceCode))
    }

    package func consume(
        _ hash: [UInt8], _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        let generation: Int64 = call.client.may("refresh_token") ? 1 : 0
        switch try await call.provider.store.grants.pollDeviceAuthorization(
            deviceCodeHash: hash, client: call.client.client.id, generation: generation,
            now: call.facts.now)
        {
        case .approved(let grant):
            return try await call.fetched(grant).map { TokenIssuance(polled: $0, by: call.client) }
        case .pending: return .failure(.pending("The request is pending. Poll again later."))
        case .slowDown: return .failure(.polledTooEarly)
        case .denied: return .failure(.personSaidNo)
        case .expired: return .failure(.expiredToken("The device code is expired: start again."))
        case .unknown: return .failure(.invalidGrant("no such device code of this client"))
        }
    }
}
