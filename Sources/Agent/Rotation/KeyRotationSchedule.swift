// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import SingleSignOn

/// Decides when a key takes the place of another: a value, asked with the time.
package struct KeyRotationSchedule: Sendable, Equatable {
    /// How long a key is used; `nil` for as long as it is good.
    package var lifetime: TimeSpan?
    /// When the provider, or the extension, would have none of it.
    package var failedAt: Timestamp?

    /// Between two tries.
    package static let retryDelay = TimeSpan.hours(1)

    package init(lifetime: TimeSpan?, failedAt: Timestamp? = nil) {
        self.lifetime = lifetime
        self.failedAt = failedAt
    }

    /// `key_rotation` in `ExtensionData`: days, 1 to 3650.
    package init(_ configuration: SSOConfiguration?, failedAt: Timestamp? = nil) {
        let value = configuration?.extensionData?.first { $0.name == "key_rotation" }?.value
        let written = value?.integer ?? value?.string.flatMap { Int64($0) }
        let days = written.map { min(max($0, 1), 3650) }
        self.init(lifetime: days.map { .days($0) }, failedAt: failedAt)
    }

    /// Returns when a key of that age is replaced; `nil` for never.
    ///
    /// - Parameters:
    ///   - since: `nil` if its age is unknown.
    ///   - isOffered: Whether the provider may have received its successor. Such a rotation is
    ///     completed, regardless of the profile: the old key expires soon.
    package func due(since: Timestamp?, isOffered: Bool = false, now: Timestamp) -> Timestamp? {
        guard let lifetime = isOffered ? .seconds(0) : lifetime else { return nil }
        // One that was made later than now was made by a clock in trouble.
        let isKnown = since.map { $0 <= now + SignInSchedule.leeway } ?? false
        let end = isKnown ? since.map { $0 + lifetime } ?? now : now
        guard let failedAt, failedAt <= now else { return end }
        return max(end, failedAt + Self.retryDelay)
    }
}
