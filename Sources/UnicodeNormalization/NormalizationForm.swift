// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
    import Foundation
#else
    import CUniString
#endif

/// A normalization form of Unicode (Unicode Standard Annex 15).
///
/// On Linux libunistring computes it: Foundation would add 43 MB to a program (decision 0030).
package enum NormalizationForm: Sendable {
    /// Form C: canonical decomposition, then composition.
    case composed
    /// Form KC: compatibility decomposition, then composition.
    case compatibilityComposed
    /// Form KD: compatibility decomposition.
    case compatibilityDecomposed

    package func callAsFunction(_ text: String) -> String {
        // ASCII is in every form.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        #if canImport(Darwin)
            switch self {
            case .composed: return text.precomposedStringWithCanonicalMapping
            case .compatibilityComposed: return text.precomposedStringWithCompatibilityMapping
            case .compatibilityDecomposed: return text.decomposedStringWithCompatibilityMapping
            }
        #else
            var text = text
            return text.withUTF8 { normalized($0) } ?? text
        #endif
    }

    #if !canImport(Darwin)
        /// `nil` only if there is no memory.
        private func normalized(_ text: UnsafeBufferPointer<UInt8>) -> String? {
            var length = 0
            guard let result = unistring_normalize(form, text.baseAddress, text.count, &length)
            else { return nil }
            defer { unistring_free(result) }
            return String(
                decoding: UnsafeBufferPointer(start: result, count: length), as: UTF8.self)
        }

        private var form: unistring_form {
            switch self {
            case .composed: unistring_c
            case .compatibilityComposed: unistring_kc
            case .compatibilityDecomposed: unistring_kd
            }
        }
    #endif
}
