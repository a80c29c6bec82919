// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import SingleSignOn

/// Makes the clients that send requests for a person on this device.
@AgentActor
struct LoginClients {
    let records: RecordStore
    let profiles: ActiveProfiles
    let exchange: ProviderExchange
    let keys: any KeySource

    /// Returns a client; `nil` before the device and the person are registered.
    func client(for person: String) -> (client: ProviderClient, user: UserLoginConfiguration)? {
        let record = records.record
        guard let owner = record.registrations.plan?.owner(of: person),
            let device = record.devices[owner], let configuration = device.configuration,
            let user = record.people[person]?.configuration
        else { return nil }
        let headers = profiles.configuration(for: person)?.platformSSO?.additionalHTTPHeaders
        return (
            ProviderClient(
                exchange: exchange.adding(headers ?? [:]), configuration: configuration, keys: keys,
                signing: device.signing, encryption: device.encryption,
                certificates: device.identity.certificates,
                previousToken: record.people[person]?.session?.refreshToken,
                known: record.people[person]?.identity), user
        )
    }
}
