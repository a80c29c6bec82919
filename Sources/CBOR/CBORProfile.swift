// SPDX-License-Identifier: Apache-2.0

/// Which encodings a decoder accepts, and how much of them.
///
/// Every profile demands basic validity (RFC 8949 section 5.3.1): text is UTF-8, map keys are
/// unique.
package struct CBORProfile: Sendable, Equatable {
    /// Whether indefinite-length strings, arrays and maps are accepted.
    package var allowsIndefiniteLength: Bool
    /// Whether tags are accepted.
    package var allowsTags: Bool
    /// Whether every integer, length and count must have its shortest form.
    package var requiresShortestForm: Bool
    /// Whether map keys must be in the order of CTAP2.
    package var requiresSortedKeys: Bool
    /// The maximum nesting depth of arrays, maps and tags. A scalar alone has depth 0.
    package var maximumDepth: Int
    /// The maximum length of the input, in bytes.
    package var maximumSize: Int
    /// The maximum number of data items in the input, including keys and chunks.
    package var maximumItems: Int

    /// Any valid CBOR of RFC 8949, at most 1 MiB, 128 levels and 65,536 items.
    package static let rfc8949 = CBORProfile(
        allowsIndefiniteLength: true, allowsTags: true, requiresShortestForm: false,
        requiresSortedKeys: false, maximumDepth: 128, maximumSize: 1 << 20, maximumItems: 1 << 16
    )

    /// The canonical form of CTAP 2.1 section 8 ("Message Encoding"): definite lengths, shortest
    /// forms, sorted keys, no tags, at most four levels of arrays and maps. At most 64 KiB.
    package static let ctap2 = CBORProfile(
        allowsIndefiniteLength: false, allowsTags: false, requiresShortestForm: true,
        requiresSortedKeys: true, maximumDepth: 4, maximumSize: 1 << 16, maximumItems: 1 << 12
    )
}
