// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives
package import SingleSignOn

/// What a folder of profiles says.
package struct InstalledProfiles: Sendable, Equatable {
    package struct Problem: Sendable, Equatable {
        package let file: String
        package let reason: String
    }

    package var installed: [InstalledConfiguration] = []
    /// What is for one account alone.
    package var accounts: [String: [InstalledConfiguration]] = [:]
    package var problems: [Problem] = []
    /// Whether a profile for all accounts cannot be read.
    package private(set) var isHalfRead = false
    /// Accounts of whose own profiles one cannot be read.
    package private(set) var halfReadAccounts: Set<String> = []
    /// Of profiles that count, and ought to be kept otherwise.
    package var warnings: [Problem] = []
    /// When the first of them removes itself.
    package var nextRemoval: Timestamp?
    private var digests: [[UInt8]] = []

    package init() {}

    mutating func refuse(_ error: ProfileFileError, _ name: String, of account: String?) {
        refuse(error.reason, name, of: account)
    }

    private mutating func refuse(_ reason: String, _ name: String, of account: String?) {
        problems.append(Problem(file: name, reason: reason))
        if let account { halfReadAccounts.insert(account) } else { isHalfRead = true }
    }

    private mutating func warnOfToken(_ inspection: ProfileInspection, _ name: String) {
        let hasToken = inspection.singleSignOn.contains { $0.registrationToken?.isEmpty == false }
        guard hasToken else { return }
        warnings.append(
            Problem(
                file: name, reason: "all local users can read its registration token; use chmod 600"
            ))
    }

    mutating func add(
        _ content: ProfileFolder.Content, name: String, of account: String?, now: Timestamp
    ) {
        let inspection: ProfileInspection
        do throws(ProfileParseError) {
            inspection = try ProfileInspection(content.bytes, context: .init(now: now))
        } catch {
            return refuse(error.reason, name, of: account)
        }
        if let finding = inspection.findings.first(where: { $0.severity == .error }) {
            return refuse("\(finding.path): \(finding.problem)", name, of: account)
        }
        let (channel, source): (ProfileChannel, String)
        switch inspection.subject {
        case .profile(let profile):
            if let removal = profile.removal(installedAt: content.installedAt) {
                // It has removed itself.
                guard removal > now else { return }
                nextRemoval = min(nextRemoval ?? removal, removal)
            }
            channel = ProfileChannel(profile.envelope.scope ?? .system)
            source = profile.envelope.identifier ?? name
        case .declaration(let declaration): (channel, source) = (.device, declaration.identifier)
        }
        if content.isReadable { warnOfToken(inspection, name) }
        let prefix: [UInt8] = account.map { Array($0.utf8) + [0] } ?? []
        digests.append(Array(SHA256.hash(data: prefix + content.bytes)))
        let found = inspection.singleSignOn.map {
            InstalledConfiguration($0, channel: account == nil ? channel : .user, source: source)
        }
        if let account { accounts[account, default: []] += found } else { installed += found }
    }

    /// The configuration for all accounts.
    package var effective: EffectiveConfiguration { EffectiveConfiguration(installed) }

    /// Returns the configuration for one account. Profiles for all accounts have priority.
    package func effective(for account: String) -> EffectiveConfiguration {
        guard let own = accounts[account] else { return effective }
        return EffectiveConfiguration(installed + own)
    }

    /// Changes with every byte of every profile.
    package var revision: String {
        let all = digests.reduce(into: [UInt8]()) { $0 += $1 }
        return Base64URL.encode(Array(SHA256.hash(data: all)).prefix(12))
    }
}
