// SPDX-License-Identifier: Apache-2.0
import JOSE
import UserClient

/// What Gatehouse's provider says of people.
extension GatehouseExtension {
    package var describesPeople: Bool { true }

    /// Groups are called there what they are known by here.
    package func displayNames(
        of groups: [String], _ manager: any ExtensionLoginManager
    ) async -> [String: String]? { [:] }

    /// Returns the picture that the ID token names. Upstream providers may choose its URL, so that
    /// its server receives no data of the person or the device, and the request uses https.
    package func profilePicture(_ manager: any ExtensionLoginManager) async -> [UInt8]? {
        guard let token = await manager.person?.tokens?["id_token"]?.string,
            let address = StoredClaims(token).picture
        else { return [] }
        let request = WebRequest(
            method: "GET", url: address, headers: [("accept", "image/png, image/jpeg")])
        guard ProviderEndpoints.isProtected(address) else {
            await manager.explain("the picture has no https address")
            return nil
        }
        do {
            let reply = try await pictures.answer(to: request)
            switch reply.status {
            case 200: return reply.body
            case 404, 410: return []
            default: await manager.explain("the picture is answered with \(reply.status)")
            }
        } catch { await manager.explain("the picture cannot be fetched: \(error)") }
        return nil
    }
}
