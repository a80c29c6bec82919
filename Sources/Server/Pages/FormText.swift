// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Values in URLs.
enum FormText {
    static func encode(_ text: String) -> String { PercentEncoding.encode(text) }
}
