// SPDX-License-Identifier: Apache-2.0
import Attestation
import Logging
import ProviderCore

extension RevocationStatusList {
    /// Logs the number of entries without a serial number, with the first of them.
    fileprivate func logUnreadable(to log: Logger) {
        guard let first = unreadable.first else { return }
        log.warning(
            "Google's revocation list has entries without a serial number; they are passed over",
            metadata: [
                "entries": "\(unreadable.count)", "first": "\(first.prefix(64).debugDescription)",
            ])
    }
}

extension Provider {
    /// The revocation status of Android's attestation keys, as Google publishes it.
    var revocations: RevocationStatusCache {
        component {
            RevocationStatusCache(
                client: VendorHTTP(
                    http: http, maximumResponseLength: RevocationStatusList.maximumBytes),
                clock: clock, report: { [log] in $0.logUnreadable(to: log) })
        }
    }
}
