// SPDX-License-Identifier: Apache-2.0

/// The verifier and challenge of RFC 7636 appendix B.
enum PKCEPair {
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
}
