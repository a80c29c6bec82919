// SPDX-License-Identifier: Apache-2.0

/// A pipe that ends the wait of a thread which polls ``reader`` in addition to its other files.
package final class WakePipe: Sendable {
    package let reader: Descriptor
    private let writer: Descriptor

    package init() throws(PlatformError) {
        (reader, writer) = try Descriptor.pipe()
        reader.isNonBlocking = true
        writer.isNonBlocking = true
    }

    deinit {
        reader.close()
        writer.close()
    }

    /// From any thread. A full pipe wakes just as well.
    package func wake() { try? writer.write(all: CollectionOfOne(1)) }

    package func drain() { _ = try? reader.read(atMost: 64) }
}
