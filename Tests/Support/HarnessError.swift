// SPDX-License-Identifier: Apache-2.0

/// What went wrong outside the thing under test, or where its answer could not be read.
package struct HarnessError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
