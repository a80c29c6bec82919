// SPDX-License-Identifier: Apache-2.0
package import AgentWaiting
import JOSE
package import Platform
import Primitives

extension IdleProcessState {
    /// Returns the end of a pipe from which it can be read once. The other end is closed.
    package func pipe() throws(IdleProcessError) -> Descriptor {
        let bytes = json.bytes
        defer { Secret.overwrite(bytes) }
        let (reader, writer): (Descriptor, Descriptor)
        do throws(PlatformError) { (reader, writer) = try Descriptor.pipe() } catch {
            throw IdleProcessError(error)
        }
        defer { writer.close() }
        writer.isNonBlocking = true
        guard bytes.count <= Self.greatestSize, (try? writer.write(all: bytes)) != nil else {
            reader.close()
            throw .tooMuch
        }
        return reader
    }

    /// Reads it, and closes the pipe.
    package init?(reading file: Descriptor) {
        defer { file.close() }
        guard let text = try? file.readAll(limit: Self.greatestSize) else { return nil }
        defer { Secret.overwrite(text) }
        guard let object = try? JSONParser.parseObject(text, maximumBytes: Self.greatestSize) else {
            return nil
        }
        self.init(object)
    }
}
