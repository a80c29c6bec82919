// SPDX-License-Identifier: Apache-2.0
import Primitives
import UserClient

extension SettingReader {
    /// Where metadata of authenticators come from; `nil` when nothing is said.
    func metadata() throws(ConfigurationError) -> ServeConfiguration.Metadata? {
        guard let entry = values["metadata"], let place = entry.texts.last else {
            for setting in Setting.all where setting.name.hasPrefix("metadata-") {
                guard let stray = values[setting.name] else { continue }
                throw ConfigurationError(stray.origin, "\(setting.name) requires metadata")
            }
            return nil
        }
        guard !place.hasPrefix("http://") || ProviderEndpoints.isProtected(place) else {
            throw ConfigurationError(
                entry.origin, "metadata must be a file or an https URL; http is not safe")
        }
        guard let roots = text("metadata-root") else {
            throw ConfigurationError(
                entry.origin, "metadata requires metadata-root, its trusted root certificate")
        }
        var metadata = ServeConfiguration.Metadata(
            place: place, roots: roots, signer: text("metadata-signer") ?? "mds.fidoalliance.org")
        metadata.revocationLists = list("metadata-crl")
        metadata.needsRevocationLists = flag("metadata-crl-required")
        if let days = number("metadata-grace-days") { metadata.grace = .days(days) }
        if let minutes = number("metadata-refresh-minutes") {
            metadata.interval = .minutes(minutes)
        }
        return metadata
    }
}
