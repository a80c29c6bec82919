// SPDX-License-Identifier: Apache-2.0

/// A file that stores the record durably.
protocol RecordFile: Sendable {
    /// Returns when the record would survive a loss of power. Blocks.
    func save(_ record: AgentRecord) throws
}

extension StateFile: RecordFile {}
