// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// What a relying party demands of attestation: steps 7.1.23 and 7.1.24.
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
    /// Roots, or attestation certificates themselves (batch certificates).
    let anchors: [AttestationCertificate]

    /// Correct statements of every kind pass, and their certificates must lead to an anchor when
    /// any is given.
    ///
    /// - Parameter trustAnchors: DER, each of a certificate.
    /// - Throws: ``AnchorError`` when one is not.
    package init(
        conveyance: AttestationConveyance = .none, trustAnchors: [[UInt8]] = [],
        acceptsNone: Bool = true, acceptsSelf: Bool = true, acceptsUnanchored: Bool = true
    ) throws(AnchorError) {
        self.conveyance = conveyance
        self.acceptsNone = acceptsNone
        self.acceptsSelf = acceptsSelf
        self.acceptsUnanchored = acceptsUnanchored
        var anchors: [AttestationCertificate] = []
        for (index, der) in trustAnchors.enumerated() {
            do {
                anchors.append(
                    AttestationCertificate(
                        der: der, certificate: try Certificate(derEncoded: der)))
            } catch { throw AnchorError(index: index, reason: "\(error)") }
        }
        self.anchors = anchors
    }

    private init() {
        conveyance = .none
        acceptsNone = true
        acceptsSelf = true
        acceptsUnanchored = true
        anchors = []
    }

    /// Asks for no attestation, and accepts any correct statement that comes.
    package static let unassessed = AttestationPolicy()

    /// An anchor that is not the DER of a certificate.
    package struct AnchorError: Error, Sendable {
        /// Which one, from 0.
        package let index: Int
        package let reason: String
    }
}
