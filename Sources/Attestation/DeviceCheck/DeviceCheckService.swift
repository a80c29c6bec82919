// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Asks Apple about a device. There is no way to verify a DeviceCheck token alone.
///
/// A token proves a genuine device with an app of the team. It certifies no key and carries no
/// challenge: alone it never binds one, so whoever registers a key by it needs a proof of the key
/// over the challenge besides.
package struct DeviceCheckService: Sendable {
    package let key: DeviceCheckKey
    /// With the scheme; see ``productionHost``.
    package let host: String
    private let client: any AttestationHTTPClient
    private let clock: any WallClock
    private let random: any RandomSource

    package static let productionHost = "https://api.devicecheck.apple.com"
    /// For apps that Xcode installed.
    package static let developmentHost = "https://api.development.devicecheck.apple.com"

    package init(
        key: DeviceCheckKey, host: String, client: any AttestationHTTPClient,
        clock: any WallClock, random: any RandomSource
    ) {
        self.key = key
        self.host = host
        self.client = client
        self.clock = clock
        self.random = random
    }

    /// Asks once. Whatever goes wrong on the way is ``DeviceCheckResponse/unknown(_:)``.
    package func ask(
        _ question: DeviceCheckRequest, token: [UInt8]
    ) async -> DeviceCheckResponse {
        guard !token.isEmpty, token.count <= DeviceCheckMessage.maximumTokenBytes else {
            return .badToken("\(token.count) bytes are no token")
        }
        let now = clock.now
        let message = DeviceCheckMessage(
            question, token: token, transaction: Identifier(now: now, random: random), now: now)
        do {
            let authorization = try key.authorization(now: now)
            let request = message.request(host: host, authorization: authorization)
            return DeviceCheckResponse(try await client.send(request), to: question)
        } catch { return .unknown("no answer: \(error)") }
    }
}
