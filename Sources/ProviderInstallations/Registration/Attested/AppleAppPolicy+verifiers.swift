// SPDX-License-Identifier: Apache-2.0
import Attestation
import Primitives
import ProviderCore
import Storage
import WebAuthn

extension AppleAppPolicy {
    /// The stored values are valid roots. If one is not, no root is trusted.
    var rootKeys: RootKeys { Self.keys(roots, orElse: VendorRoots.appAttest) }

    /// The roots for receipts.
    private var receiptRootKeys: RootKeys {
        Self.keys(receiptRoots, orElse: VendorRoots.appleReceipts)
    }

    private static func keys(_ roots: [String], orElse usual: RootKeys) -> RootKeys {
        guard !roots.isEmpty else { return usual }
        return (try? RootKeys(der: roots.compactMap { Base64.decode($0) })) ?? .none
    }

    /// `nil` if the policy names no app.
    var appAttest: AppAttestVerifier? {
        guard !applications.isEmpty, let environment = AppAttestEnvironment(rawValue: environment)
        else { return nil }
        return AppAttestVerifier(
            applications: applications, environment: environment, roots: rootKeys,
            checksReceipt: checksReceipt, receiptRoots: receiptRootKeys)
    }

    /// The client of Apple's DeviceCheck service; `nil` without a key for it.
    func deviceCheck(
        _ secrets: RegistrationSecrets, in provider: Provider
    ) -> DeviceCheckService? {
        guard let pem = secrets.open(.deviceCheckKey), !deviceCheckTeamID.isEmpty,
            let key = DeviceCheckKey(
                pem: pem, keyID: deviceCheckKeyID, teamID: deviceCheckTeamID)
        else { return nil }
        let usual =
            environment == AppAttestEnvironment.production.rawValue
            ? DeviceCheckService.productionHost : DeviceCheckService.developmentHost
        return DeviceCheckService(
            key: key, host: deviceCheckAddress.isEmpty ? usual : deviceCheckAddress,
            client: VendorHTTP(
                http: provider.http, maximumResponseLength: DeviceCheckResponse.maximumBytes),
            clock: provider.clock, random: provider.random)
    }
}
