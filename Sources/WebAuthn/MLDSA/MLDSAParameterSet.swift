// SPDX-License-Identifier: Apache-2.0

/// A parameter set of FIPS 204 section 4, tables 1 and 2, as far as verification needs it.
package enum MLDSAParameterSet: Sendable, CaseIterable {
    case mlDSA44, mlDSA65, mlDSA87

    /// k and l: the rows and columns of A.
    var rows: Int { [4, 6, 8][index] }
    var columns: Int { [4, 5, 7][index] }
    /// τ: how many coefficients of the challenge are not zero.
    var challengeWeight: Int { [39, 49, 60][index] }
    /// λ/4: the length of the challenge's hash in bytes.
    var challengeLength: Int { [32, 48, 64][index] }
    /// The exponent of γ1, and with one bit more the width of a coefficient of z.
    var responseBits: Int { [17, 19, 19][index] }
    /// γ2, which determines the rounding of coefficients.
    var rounding: MLDSARounding { self == .mlDSA44 ? .of88 : .of32 }
    /// β.
    var slack: UInt32 { [78, 196, 120][index] }
    /// ω: the most hints.
    var maximumHints: Int { [80, 55, 75][index] }

    /// Length of the encoded public key in bytes: ρ, and ten bits for each coefficient of t1.
    var publicKeyLength: Int { 32 + rows * 320 }

    /// Length of a signature in bytes: the challenge's hash, z and the hints.
    var signatureLength: Int {
        challengeLength + columns * responseLength + maximumHints + rows
    }

    /// Length of one encoded polynomial of z.
    var responseLength: Int { 32 * (responseBits + 1) }
    /// γ1.
    var responseBound: UInt32 { 1 << UInt32(responseBits) }

    private var index: Int {
        switch self {
        case .mlDSA44: 0
        case .mlDSA65: 1
        case .mlDSA87: 2
        }
    }
}
