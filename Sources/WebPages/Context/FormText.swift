// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Values in URLs.
package enum FormText {
    package static func encode(_ text: String) -> String { PercentEncoding.encode(text) }
}
