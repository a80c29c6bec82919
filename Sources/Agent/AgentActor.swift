// SPDX-License-Identifier: Apache-2.0

/// The isolation domain of an agent: its record, its machines and the components that use them.
///
/// A component reads the record, decides and changes the record without a suspension in between, as
/// the methods of one actor do. A process runs one agent.
@globalActor
package actor AgentActor {
    package static let shared = AgentActor()
}
