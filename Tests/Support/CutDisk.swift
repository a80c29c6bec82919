// SPDX-License-Identifier: Apache-2.0
package import Platform
import Synchronization

/// The disk of this machine for so many calls. Then the power fails, and no call does anything.
///
/// Names are exchanged in one call, whatever the file system of the test can do.
package final class CutDisk: Disk {
    private let disk = SystemDisk()
    private let calls: Mutex<Int>

    package init(calls: Int) { self.calls = Mutex(calls) }

    private func count(_ call: String) throws(PlatformError) {
        let hasPower = calls.withLock { left in
            left -= 1
            return left >= 0
        }
        guard hasPower else { throw PlatformError(call, "", code: 0) }
    }

    package func create(_ path: String, mode: UInt32) throws(PlatformError) -> Int32 {
        try count("open")
        return try disk.create(path, mode: mode)
    }

    package func open(_ path: String) throws(PlatformError) -> Int32 {
        try count("open")
        return try disk.open(path)
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32
    ) throws(PlatformError) -> Int {
        try count("write")
        return try disk.write(bytes, to: file)
    }

    package func synchronize(_ file: Int32) throws(PlatformError) {
        try count("fsync")
        try disk.synchronize(file)
    }

    package func close(_ file: Int32) { disk.close(file) }

    package func rename(_ path: String, to name: String) throws(PlatformError) {
        try count("rename")
        try disk.rename(path, to: name)
    }

    package func exchange(_ path: String, with name: String) throws(PlatformError) {
        try count("renameat2")
        let aside = "\(path).aside"
        try disk.rename(name, to: aside)
        try disk.rename(path, to: name)
        try disk.rename(aside, to: path)
    }

    package func link(_ path: String, to name: String) throws(PlatformError) {
        try count("link")
        try disk.link(path, to: name)
    }

    package func remove(_ path: String) throws(PlatformError) {
        try count("unlink")
        try disk.remove(path)
    }

    package func makeFolder(_ path: String, mode: UInt32) throws(PlatformError) {
        try count("mkdir")
        try disk.makeFolder(path, mode: mode)
    }
}
