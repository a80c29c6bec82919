// SPDX-License-Identifier: Apache-2.0

/// Finds the key to work with: the only one, or of several the one that is touched; when there is
/// none, the first that is put in.
struct KeySelection: Sendable {
    let source: any AuthenticatorSource
    let interaction: any SecurityKeyInteraction
    let delay: any Delay

    /// - Parameter operation: What the key will be used for, to be shown.
    func choose(_ operation: SecurityKeyOperation) async throws(SecurityKeyError) -> SecurityKey {
        let (events, sink) = AsyncStream.makeStream(of: KeyCandidates.Event.self)
        let result = await withTaskGroup(
            of: Void.self, returning: Result<SecurityKey, SecurityKeyError>.self
        ) { group in
            group.addTask { [source] in
                for await devices in source.snapshots() { sink.yield(.devices(devices)) }
                if !Task.isCancelled { sink.yield(.complete) }
            }
            var candidates = KeyCandidates(
                operation: operation, interaction: interaction, delay: delay, sink: sink)
            defer { group.cancelAll() }
            for await event in events {
                if let result = await candidates.process(event, &group) { return result }
            }
            return .failure(.cancelled)
        }
        return try result.get()
    }
}
