// SPDX-License-Identifier: Apache-2.0

/// The reason why a document cannot be read.
package struct DocumentError: Error, Sendable, Equatable {
    package var place: DocumentNode.Position
    package var message: String
}
