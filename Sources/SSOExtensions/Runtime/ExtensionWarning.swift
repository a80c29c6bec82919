// SPDX-License-Identifier: Apache-2.0
import Platform

/// A message for the developer of an extension, in the agent's log.
package enum ExtensionWarning {
    package static func write(_ sentence: String) {
        try? Descriptor.standardError.write(all: "extension: \(sentence)\n".utf8)
    }
}
