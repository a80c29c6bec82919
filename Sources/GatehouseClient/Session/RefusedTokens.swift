// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// The tokens that the provider has refused for good. They stay in the store, for a refusal is no
/// signed word; but who has nothing else is not signed in.
final class RefusedTokens: Sendable {
    private let last = Mutex<Secret?>(nil)

    func insert(_ tokens: StoredTokens) { last.withLock { $0 = tokens.accessToken } }

    func contains(_ tokens: StoredTokens) -> Bool { last.withLock { $0 == tokens.accessToken } }
}
