// SPDX-License-Identifier: Apache-2.0

extension FingerprintSample {
    /// An instruction for the person.
    package var sentence: String {
        switch self {
        case .good: "Good."
        case .tooHigh: "The finger was too high."
        case .tooLow: "The finger was too low."
        case .tooLeft: "The finger was too far left."
        case .tooRight: "The finger was too far right."
        case .tooFast: "The finger moved too fast."
        case .tooSlow: "The finger moved too slowly."
        case .poorQuality: "The sample was not clear enough."
        case .tooSkewed: "The finger was too skewed."
        case .tooShort: "The sample was too short."
        case .mergeFailure: "The sample does not fit the others."
        case .alreadyExists: "This finger is enrolled already."
        case .noUserActivity: "The key waited in vain."
        case .noUserPresenceTransition: "Lift the finger, then touch again."
        }
    }
}
