// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Decides which agreements with the key service are stored for the grace period, and when the
/// certificates of unlock keys are renewed.
///
/// With keys in a file, agreements stay in this value: the disk alone must not open a sealed secret.
struct UnlockMachine: Sendable, Equatable {
    enum Event: Sendable, Equatable {
        /// The key service agreed on a key within the grace period.
        case agreed(String, CachedKeyAgreement, saved: [CachedKeyAgreement])
        /// The grace period of a person ended.
        case graceEnded(String, saved: [CachedKeyAgreement])
        /// The record of a person was deleted or their session ended.
        case forgotten(String)
        case certificateRenewed(String)
        /// A request for another certificate brought none.
        case renewalFailed(String)
    }

    enum Effect: Sendable, Equatable {
        /// Save these agreements in the record of the person.
        case save(String, [CachedKeyAgreement])
    }

    /// Whether agreements must not be written to the disk.
    let isInMemory: Bool
    private(set) var agreements: [String: [CachedKeyAgreement]]
    /// When the renewal of a certificate failed last.
    private(set) var failures: [String: Timestamp] = [:]

    /// A provider may issue the same certificate until it expires: one request a day.
    static let retryDelay = TimeSpan.hours(24)

    init(isInMemory: Bool, agreements: [String: [CachedKeyAgreement]] = [:]) {
        self.isInMemory = isInMemory
        self.agreements = agreements
    }

    @discardableResult
    mutating func handle(_ event: Event, now: Timestamp) -> [Effect] {
        switch event {
        case .agreed(let person, let agreement, let saved):
            return store(agreement, of: person, saved)
        case .graceEnded(let person, let saved):
            guard !stored(of: person, saved: saved).isEmpty else { return [] }
            agreements[person] = nil
            return [.save(person, [])]
        case .forgotten(let person): agreements[person] = nil
        case .certificateRenewed(let person): failures[person] = nil
        case .renewalFailed(let person): failures[person] = now
        }
        return []
    }

    private mutating func store(
        _ agreement: CachedKeyAgreement, of person: String, _ saved: [CachedKeyAgreement]
    ) -> [Effect] {
        let before = stored(of: person, saved: saved)
        guard !before.contains(agreement) else { return [] }
        let others = before.filter { $0.name != agreement.name }
        let all = Array((others + [agreement]).suffix(CachedKeyAgreement.greatestCount))
        guard isInMemory else { return [.save(person, all)] }
        agreements[person] = all
        return []
    }

    /// - Parameter saved: The agreements in the record of the person.
    func stored(of person: String, saved: [CachedKeyAgreement]) -> [CachedKeyAgreement] {
        isInMemory ? agreements[person] ?? [] : saved
    }

    /// Returns when the certificate of a person is renewed.
    func renewal(
        of person: String, _ certificate: UnlockCertificateInfo, now: Timestamp
    ) -> Timestamp {
        guard let failedAt = failures[person], failedAt <= now else { return certificate.renewal }
        return max(certificate.renewal, failedAt + Self.retryDelay)
    }
}
