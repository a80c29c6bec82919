// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Sets that somebody has one after the other: a trial month, then the plan that was paid for.
package struct EntitlementSequence: Sendable, Equatable {
    /// One set, and for how long.
    package struct Step: Sendable, Equatable {
        package var set: String
        /// Seconds; `nil` for ever, which only the last step may last.
        package var duration: Int64?

        package init(set: String, duration: Int64?) {
            self.set = set
            self.duration = duration
        }
    }

    package var project: Identifier<Project>
    /// Unique in the project, apart from the names of sets.
    package var name: String
    package var steps: [Step]
    package var createdAt: Timestamp

    package init(
        project: Identifier<Project>, name: String, steps: [Step], createdAt: Timestamp
    ) {
        self.project = project
        self.name = name
        self.steps = steps
        self.createdAt = createdAt
    }

    /// Longest step, in seconds: ten years.
    package static let longestStep: Int64 = 3650 * 86_400
    package static let mostSteps = 50
}

extension [EntitlementSequence.Step] {
    /// Which step somebody is in who began at `start`, and when it ends. `nil` once the last one is
    /// over. A clock that was set back finds the first step.
    package func current(
        since start: Timestamp, now: Timestamp
    ) -> (index: Int, endsAt: Timestamp?)? {
        var end = start
        for (index, step) in enumerated() {
            guard let duration = step.duration else { return (index, nil) }
            end = end + .seconds(Swift.min(Swift.max(duration, 0), EntitlementSequence.longestStep))
            if now < end { return (index, end) }
        }
        return nil
    }
}

/// Where somebody is in a sequence.
package struct SequencePosition: Sendable, Equatable {
    package var sequence: String
    package var startedAt: Timestamp
    /// When the next set takes the place of this one; `nil` when none will.
    package var changesAt: Timestamp?

    package init(sequence: String, startedAt: Timestamp, changesAt: Timestamp?) {
        self.sequence = sequence
        self.startedAt = startedAt
        self.changesAt = changesAt
    }
}
