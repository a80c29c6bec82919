// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import Primitives

/// A sign-in with a browser on another device: device authorization grant, RFC 8628.
package struct DeviceCodeSignIn: Sendable {
    /// A closure that waits for that number of seconds.
    package typealias Pause = @Sendable (_ seconds: Int64) async throws -> Void

    private let client: OpenIDClient
    private let directory: ProviderEndpoints
    private let pause: Pause

    package init(
        client: OpenIDClient, directory: ProviderEndpoints,
        pause: @escaping Pause = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.client = client
        self.directory = directory
        self.pause = pause
    }

    /// Requests a code to display (section 3.1).
    ///
    /// - Parameters:
    ///   - name: The name of this device, for the page where the code is entered. Gatehouse
    ///     displays it; other providers ignore it (RFC 6749 section 3.2).
    ///   - model: The manufacturer's name of the device.
    package func begin(
        scope: String, name: String? = nil, model: String? = nil
    ) async throws -> DeviceAuthorizationResponse {
        guard let url = directory.deviceAuthorization else {
            throw UserClientError.invalidAnswer("the issuer offers no sign-in by code")
        }
        let own = [("device_name", name), ("device_model", model)].compactMap { member in
            member.1.map { (member.0, $0) }
        }
        let reply = try await client.post(
            url, [("client_id", client.clientID), ("scope", scope)] + own)
        guard reply.status == 200 else { throw client.refusal(reply) }
        let answer = try client.object(reply)
        guard let deviceCode = answer["device_code"]?.string, !deviceCode.isEmpty,
            let userCode = answer["user_code"]?.string, Self.isShowable(userCode),
            let address = answer["verification_uri"]?.string,
            ProviderEndpoints.isProtected(address), let expiresIn = answer["expires_in"]?.integer
        else { throw UserClientError.invalidAnswer("the device authorization is incomplete") }
        let complete = answer["verification_uri_complete"]?.string ?? address
        guard ProviderEndpoints.isProtected(complete) else {
            throw UserClientError.invalidAnswer("verification_uri_complete is not an https address")
        }
        return DeviceAuthorizationResponse(
            deviceCode: deviceCode, userCode: userCode, verificationURI: address,
            verificationURIComplete: complete, expiresIn: min(max(expiresIn, 1), 86_400),
            interval: min(max(answer["interval"]?.integer ?? 5, 1), 300))
    }

    /// Polls for the tokens at the server's interval until the person has decided (sections 3.4 and
    /// 3.5).
    package func finish(_ device: DeviceAuthorizationResponse) async throws -> TokenSet {
        let end = client.clock.now + .seconds(device.expiresIn)
        var interval = device.interval
        while client.clock.now < end {
            try await pause(interval)
            do {
                return try await client.grant(
                    directory,
                    [
                        ("grant_type", TokenRequest.deviceCodeGrantType),
                        ("device_code", device.deviceCode),
                    ])
            } catch UserClientError.refused(code: "authorization_pending", _) {
                continue
            } catch UserClientError.refused(code: "slow_down", _) {
                interval += 5
            } catch UserClientError.refused(code: "expired_token", _) {
                throw UserClientError.timedOut
            }
        }
        throw UserClientError.timedOut
    }

    /// Whether a code is printable ASCII, because a terminal displays it.
    private static func isShowable(_ code: String) -> Bool {
        (1...32).contains(code.utf8.count) && code.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
