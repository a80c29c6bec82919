// SPDX-License-Identifier: Apache-2.0

/// What a relying party demands of attestation: steps 7.1.23 and 7.1.24.
///
/// Whoever asks for attestation (`direct` or `enterprise`) *and* names anchors means both: then a
/// credential without attestation, or with its own, is refused unless ``acceptsNone`` or
/// ``acceptsSelf`` says otherwise. With `none` or `indirect` the client is free to strip the
/// attestation, so its absence proves nothing, and such credentials pass.
package struct AttestationPolicy: Sendable {
    /// What the options ask the client for.
    package var conveyance: AttestationConveyance
    /// Whether a credential without attestation is good enough.
    package var acceptsNone: Bool
    /// Whether a credential that vouches for itself is good enough.
    package var acceptsSelf: Bool
    /// Whether a certificate that leads to no anchor is good enough. Ignored, as `false`, when
    /// there are anchors: whoever names anchors means them.
    package var acceptsUnanchored: Bool
    /// Anchors for every model.
    package var anchors: TrustAnchors
    /// Anchors and rules by model, such as metadata. What it says of a model goes before
    /// ``anchors``; a model that it does not know is judged without it.
    package var source: (any AttestationTrustSource)?
    /// The models that may register, `nil` for any. Only an anchored attestation proves a model,
    /// so with a list nothing less is accepted.
    package var allowedModels: Set<AAGUID>?
    /// Models that may not register. Binds those who tell the truth about their model even
    /// without attestation.
    package var deniedModels: Set<AAGUID> = []
    /// How many statements of a compound one must hold.
    package var compoundRule = CompoundRule.all
    /// The TPM manufacturers that are accepted, for example ``TPMVendors/registered``; `nil` for
    /// any, because the anchors say as much.
    package var tpmVendors: Set<String>?
    /// Whether only keys that trusted hardware guards count in Android key attestation.
    package var requiresHardwareKeyOfAndroid = false
    /// Whether a U2F attestation must name no model. Level 3's own vector names one; the FIDO
    /// conformance tests (Resp-8 F-1) refuse it.
    package var requiresZeroAAGUIDFromU2F = false

    package typealias AnchorError = TrustAnchors.AnchorError

    /// Correct statements of every kind pass, and their certificates must lead to an anchor when
    /// any is given.
    ///
    /// - Parameters:
    ///   - trustAnchors: DER, each of a certificate.
    ///   - acceptsNone: `nil` decides by conveyance and anchors, as said above.
    ///   - acceptsSelf: Likewise.
    /// - Throws: ``AnchorError`` when an anchor is no certificate.
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

    /// Asks for no attestation, and accepts any correct statement that comes.
    package static let unassessed = AttestationPolicy(.none, .none)
}

/// How many statements of a compound one must be correct and acceptable (section 8.9 leaves it to
/// the relying party).
package enum CompoundRule: String, Sendable, CaseIterable {
    /// Every one. One bad statement spoils the rest.
    case all
    /// At least one; the others are left aside.
    case any
}
