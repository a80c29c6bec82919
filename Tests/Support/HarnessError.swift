// SPDX-License-Identifier: Apache-2.0

/// An error outside the tested code, or of reading its response.
package struct HarnessError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
