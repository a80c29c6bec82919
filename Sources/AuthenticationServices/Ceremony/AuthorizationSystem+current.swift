// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Primitives
import UserClient

extension AuthorizationSystem {
    /// This machine, and this process as the app.
    static let current: AuthorizationSystem = {
        let environment = ProcessInfo.processInfo.environment
        let web = WebClient()
        let files = AssociationFiles(clock: SystemWallClock()) { address, limit in
            try await web.send("GET", address, limit: limit, seconds: 20)
        }
        let app = AssociatedApp(
            entitlements: { AppEntitlements.ofThisProcess }, files: files,
            allowsDevelopment: environment["GATEHOUSE_DEVELOPER_MODE"] == "1",
            warn: { text in FileHandle.standardError.write(Data((text + "\n").utf8)) })
        return AuthorizationSystem(
            securityKeys: ConnectedKeys(
                source: ConnectedAuthenticators.source(
                    path: environment["GATEHOUSE_SECURITY_KEY"], random: SystemRandomSource())),
            platform: PasskeyStore.standardPath(environment).map { path in
                PasskeyStore(
                    path: path, tpm: environment["GATEHOUSE_PASSKEYS_TPM"],
                    clock: SystemWallClock(), random: SystemRandomSource())
            }, callers: app, slot: AuthorizationSlot())
    }()
}
