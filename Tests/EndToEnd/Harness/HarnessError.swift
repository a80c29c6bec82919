// SPDX-License-Identifier: Apache-2.0

/// What went wrong outside the thing under test, or where its answer could not be read.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
