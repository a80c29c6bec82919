// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
package import ProviderCore
package import Storage

/// The device's side: `POST /device_authorization` (RFC 8628 section 3.1).
extension DeviceAuthorizationEndpoint {
    /// Maximum number of requests of public clients from one IP address in fifteen minutes. These
    /// clients are unauthenticated. Many devices of a building can share one IP address.
    package static let beginnings = AttemptLimits().challengesPerAddress
    /// Limits for authorizations that wait for a person or for their device.
    package static let open = OpenAuthorizations(ofClient: 10_000, ofProject: 20_000)

    /// - Parameter device: The device's description of itself, for the page.
    package func begin(
        scope: String?, from presented: PresentedClient, tenant: Tenant, facts: RequestMetadata,
        device: DeviceSelfDescription = DeviceSelfDescription()
    ) async throws -> Result<DeviceAuthorizationResponse, Refusal> {
        let client: RegisteredClient
        switch try await ClientAuthenticator(provider).identify(
            presented, of: tenant, facts: facts)
        {
        case .success(let found): client = found
        case .failure(let refusal): return .failure(refusal)
        }
        guard client.may(TokenRequest.deviceCodeGrantType) else {
            return .failure(
                Refusal(
                    ErrorCode.unauthorizedClient,
                    "The client is not registered for the device grant.", reason: "grant type"))
        }
        let requested: RequestedScope
        switch try await RequestedScope.evaluate(scope, for: client, of: tenant, by: provider) {
        case .success(let evaluated): requested = evaluated
        case .failure(let refusal): return .failure(refusal)
        }
        requested.logUnknown(client, in: provider, facts)
        if let refusal = try await countBeginning(client, tenant, facts) {
            return .failure(refusal)
        }
        return try await make(requested.granted, for: client, device, tenant, facts)
    }

    private func make(
        _ scope: ScopeSet, for client: RegisteredClient, _ device: DeviceSelfDescription,
        _ tenant: Tenant, _ facts: RequestMetadata
    ) async throws -> Result<DeviceAuthorizationResponse, Refusal> {
        let deviceCode = provider.newSecret()
        let userCode = UserCode.make(random: provider.random)
        let policy = tenant.project.policy
        let isSaved = try await provider.store.grants.save(
            DeviceAuthorization(
                deviceCodeHash: provider.secrets.hash(deviceCode.utf8, for: .deviceCode),
                userCodeHash: hash(userCode, of: tenant), project: tenant.project.id,
                client: client.client.id, scope: scope.text, interval: policy.devicePollInterval,
                expiresAt: facts.now + .seconds(policy.deviceCodeLifetime),
                device: device.text), within: Self.open, now: facts.now)
        guard isSaved else { return .failure(Self.busy(facts.now, until: nil)) }
        let shown = UserCode.display(userCode)
        return .success(
            DeviceAuthorizationResponse(
                deviceCode: deviceCode, userCode: shown,
                verificationURI: tenant.issuer + "/device",
                verificationURIComplete: tenant.issuer + "/device?user_code=" + shown,
                expiresIn: policy.deviceCodeLifetime, interval: policy.devicePollInterval))
    }

    /// Counts a request of a public client by IP address, because such a client is unauthenticated.
    private func countBeginning(
        _ client: RegisteredClient, _ tenant: Tenant, _ facts: RequestMetadata
    ) async throws -> Refusal? {
        guard client.isPublic else { return nil }
        let network = AttemptCounter.network(of: facts.address)
        let bucket = provider.secrets.hash(
            Array("device/begin/\(network)/".utf8) + tenant.project.id.bytes, for: .attempts)
        let verdict = try await provider.store.attempts.recordAttempt(
            bucket: bucket, limit: Self.beginnings, window: AttemptLimits().window, now: facts.now)
        guard case .refused(let end) = verdict else { return nil }
        return Self.busy(facts.now, until: end)
    }

    private static func busy(_ now: Timestamp, until end: Timestamp?) -> Refusal {
        Refusal(
            "too_many_attempts", "Too many devices are waiting. Please try again later.",
            reason: end == nil
                ? "open device authorizations" : "device authorizations of an address",
            retryAfter: end.map { max(1, ($0 - now).seconds) } ?? 60)
    }
}
