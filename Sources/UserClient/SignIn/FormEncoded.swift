// SPDX-License-Identifier: Apache-2.0
import OAuth

/// The body of a form (RFC 6749 appendix B).
enum FormEncoded {
    static func text(_ fields: [(name: String, value: String)]) -> String {
        FormEncoding.encode(fields)
    }
}
