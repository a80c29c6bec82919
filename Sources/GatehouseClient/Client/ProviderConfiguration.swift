// SPDX-License-Identifier: Apache-2.0

/// The capabilities that a provider publishes.
public struct ProviderConfiguration: Sendable, Hashable {
    /// Whether tokens are bound to a key of the installation (DPoP, RFC 9449).
    public let bindsTokens: Bool
    /// Whether apps can register here.
    public let registersApps: Bool
    /// Whether apps can have PINs.
    public let offersPINs: Bool

    init(_ documents: ProviderDocuments) {
        bindsTokens = documents.supportsDPoP
        registersApps = documents.address("register") != nil
        offersPINs = documents.address("pin") != nil
    }
}
