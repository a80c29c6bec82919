// SPDX-License-Identifier: Apache-2.0

/// A body that is generated while it is sent, with any length and in bounded memory.
package struct StreamedBody: Sendable {
    /// Sends one piece and returns when the connection can take the next one. Throws if the client
    /// has disconnected.
    package typealias Writer = @concurrent ([UInt8]) async throws -> Void

    package typealias Producer = @Sendable @concurrent (_ write: Writer) async throws -> Void

    private let produce: Producer

    /// - Parameter produce: Writes the pieces in order. An error that it throws closes the
    ///   connection, so that the client does not take an incomplete body for a complete one.
    package init(_ produce: @escaping Producer) {
        self.produce = produce
    }

    /// Hands on every piece that is not empty, until the task is cancelled.
    @concurrent
    func send(to write: Writer) async throws {
        try await produce { piece in
            try Task.checkCancellation()
            if !piece.isEmpty { try await write(piece) }
        }
    }

    /// All of it, for those who have it in memory anyway.
    @concurrent
    package func collected() async throws -> [UInt8] {
        var whole: [UInt8] = []
        try await send { whole += $0 }
        return whole
    }
}
