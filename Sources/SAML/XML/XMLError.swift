// SPDX-License-Identifier: Apache-2.0

/// An error of reading XML.
package enum XMLError: String, Error, Sendable {
    case tooLarge = "too_large"
    /// Not UTF-8, or declared with another encoding.
    case notUTF8 = "not_utf8"
    /// A document type, an entity, a comment, CDATA or a processing instruction: none has a place in
    /// a signed statement, and each is a way to show one reader another text than the next.
    case markupNotAllowed = "markup_not_allowed"
    case notWellFormed = "not_well_formed"
    /// Too deep, too many elements, or too many attributes in one.
    case tooComplex = "too_complex"
    case canonicalizationFailed = "canonicalization_failed"
}
