// SPDX-License-Identifier: Apache-2.0

/// The requirements of a relying party for attestation: steps 7.1.23 and 7.1.24.
///
/// If the conveyance is `direct` or `enterprise` and there are anchors, a credential without
/// attestation or with self attestation is refused, unless ``acceptsNone`` or ``acceptsSelf``
/// allows it. With `none` or `indirect` the client may remove the attestation. Its absence then
/// proves nothing, and such credentials pass.
package struct AttestationPolicy: Sendable {
    /// The attestation conveyance preference in the creation options.
    package var conveyance: AttestationConveyance
    /// Whether a credential without attestation is accepted.
    package var acceptsNone: Bool
    /// Whether self attestation is accepted.
    package var acceptsSelf: Bool
    /// Whether a certificate that does not lead to an anchor is accepted. Ignored, as `false`, if
    /// there are anchors.
    package var acceptsUnanchored: Bool
    /// The anchors for every model.
    package var anchors: TrustAnchors
    /// Anchors and rules by model, such as metadata. They take precedence over ``anchors``. A model
    /// that the source does not contain is evaluated without it.
    package var source: (any AttestationTrustSource)?
    /// The models that may register; `nil` for any. Only an anchored attestation proves a model, so
    /// with a list it is required.
    package var allowedModels: Set<AAGUID>?
    /// Models that must not register. Without attestation, the check relies on the AAGUID that the
    /// authenticator states.
    package var deniedModels: Set<AAGUID> = []
    /// How many statements of a compound statement must pass.
    package var compoundRule = CompoundRule.all
    /// The accepted TPM manufacturers, for example ``TPMVendors/registered``. `nil` accepts every
    /// manufacturer whose certificate leads to an anchor.
    package var tpmVendors: Set<String>?
    /// Whether Android key attestation is accepted only for keys in trusted hardware.
    package var requiresHardwareKeyOfAndroid = false
    /// Whether a U2F attestation must have the zero AAGUID. Level 3's own vector has another one;
    /// the FIDO conformance tests (Resp-8 F-1) refuse it.
    package var requiresZeroAAGUIDFromU2F = false

    package typealias AnchorError = TrustAnchors.AnchorError

    /// Accepts correct statements of every type. Their certificates must lead to an anchor if there
    /// are anchors.
    ///
    /// - Parameters:
    ///   - trustAnchors: DER, each of a certificate.
    ///   - acceptsNone: `nil` decides by conveyance and anchors, as described above.
    ///   - acceptsSelf: Likewise.
    /// - Throws: ``AnchorError`` if an anchor is not a certificate.
    package init(
        conveyance: AttestationConveyance = .none, trustAnchors: [[UInt8]] = [],
        acceptsNone: Bool? = nil, acceptsSelf: Bool? = nil, acceptsUnanchored: Bool = true
    ) throws(AnchorError) {
        self.init(conveyance, try TrustAnchors(der: trustAnchors))
        self.acceptsNone = acceptsNone ?? self.acceptsNone
        self.acceptsSelf = acceptsSelf ?? self.acceptsSelf
        self.acceptsUnanchored = acceptsUnanchored
    }

    private init(_ conveyance: AttestationConveyance, _ anchors: TrustAnchors) {
        self.conveyance = conveyance
        self.anchors = anchors
        let meansAnchors =
            !anchors.isEmpty && (conveyance == .direct || conveyance == .enterprise)
        acceptsNone = !meansAnchors
        acceptsSelf = !meansAnchors
        acceptsUnanchored = true
    }

    /// Requests no attestation and accepts every correct statement.
    package static let unassessed = AttestationPolicy(.none, .none)
}

/// How many statements of a compound statement must be correct and acceptable. Section 8.9 leaves
/// the choice to the relying party.
package enum CompoundRule: String, Sendable, CaseIterable {
    /// All must pass. One bad statement refuses the compound.
    case all
    /// At least one must pass; the others are ignored.
    case any
}
