// SPDX-License-Identifier: Apache-2.0
import Attestation
import Primitives
import Storage
import WebAuthn

extension AppleAppPolicy {
    /// What was stored was checked when it was written; a root that cannot be read trusts nobody.
    var rootKeys: RootKeys { Self.keys(roots, orElse: VendorRoots.appAttest) }

    /// Those of receipts.
    private var receiptRootKeys: RootKeys {
        Self.keys(receiptRoots, orElse: VendorRoots.appleReceipts)
    }

    private static func keys(_ roots: [String], orElse usual: RootKeys) -> RootKeys {
        guard !roots.isEmpty else { return usual }
        return (try? RootKeys(der: roots.compactMap { Base64.decode($0) })) ?? .none
    }

    /// `nil` where no app is named.
    var appAttest: AppAttestVerifier? {
        guard !applications.isEmpty, let environment = AppAttestEnvironment(rawValue: environment)
        else { return nil }
        return AppAttestVerifier(
            applications: applications, environment: environment, roots: rootKeys,
            checksReceipt: checksReceipt, receiptRoots: receiptRootKeys)
    }

    /// Who asks Apple; `nil` where there is no key to ask with.
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
                http: provider.http, longestAnswer: DeviceCheckResponse.maximumBytes),
            clock: provider.clock, random: provider.random)
    }
}
