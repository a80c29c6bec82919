// SPDX-License-Identifier: Apache-2.0

extension SecurityKeyPrompt {
    /// An instruction for the person in one or two sentences. It names the operation, so that a
    /// touch for one operation cannot authorize another.
    package var sentence: String {
        switch self {
        case .insertKey(let operation):
            "Plug in your security key, or hold it to the reader"
                + (operation.ending.isEmpty ? "." : ",\(operation.ending).")
        case .touchOneOf(let keys, let operation):
            "Touch the security key that you want to use\(operation.ending): "
                + keys.map(\.name).joined(separator: ", ") + "."
        case .touch(let key, let operation): "Touch \(key.name) to \(operation.purpose)."
        case .verify(let key, let operation):
            "Use the fingerprint reader of \(key.name) to \(operation.purpose)."
        case .verificationFailed(let tries):
            tries == 1
                ? "That was not recognised. One try is left."
                : "That was not recognised. \(tries) tries are left."
        case .fingerprintSample(let status, let remaining):
            status.sentence + (remaining > 0 ? " \(remaining) more." : "")
        case .working(let key): "\(key.name) is working."
        }
    }
}

extension SecurityKeyOperation {
    /// Returns the end of a sentence with the operation; empty if a key is only selected.
    fileprivate var ending: String { self == .chooseKey ? "" : " to \(purpose)" }
}
