// SPDX-License-Identifier: Apache-2.0
import OAuth

/// Values in addresses.
enum FormText {
    static func encode(_ text: String) -> String { FormEncoding.encode(text) }
}
