// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// What a command has done, when that is all there is to say.
package enum Outcome {
    /// A sentence for a person, or JSON on standard output for a script.
    package static func report(_ sentence: String, _ json: JSONValue, _ output: OutputOptions) {
        if output.json { print(json.text) } else { StandardError.print(sentence) }
    }
}
