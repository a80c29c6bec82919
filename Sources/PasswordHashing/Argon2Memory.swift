// SPDX-License-Identifier: Apache-2.0
import CArgon2
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pool of the megabytes that computations require, mapped from the system and reused.
///
/// The C library would cache them in the arena of each thread, where they stay resident while there
/// are no sign-ins. libargon2 wipes its memory before it releases it, so a cached block contains no
/// data of a password.
enum Argon2Memory {
    private struct Block {
        /// The address as a number: a cached block is neither read nor written.
        let address: UInt
        let size: Int
    }

    /// Blocks that wait, never more than there were computations at one time.
    private static let waiting = Mutex<[Block]>([])

    /// libargon2's `allocate_cbk`.
    static let take:
        @convention(c) (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, Int) ->
            Int32 = { result, size in
                guard let result else { return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue }
                result.pointee = Argon2Memory.block(of: size)?.assumingMemoryBound(to: UInt8.self)
                return result.pointee == nil
                    ? ARGON2_MEMORY_ALLOCATION_ERROR.rawValue : ARGON2_OK.rawValue
            }

    /// libargon2's `free_cbk`.
    static let putBack: @convention(c) (UnsafeMutablePointer<UInt8>?, Int) -> Void = {
        guard let address = $0 else { return }
        let block = Block(address: UInt(bitPattern: address), size: $1)
        Argon2Memory.waiting.withLock { $0.append(block) }
    }

    /// Returns to the system what waits.
    static func giveBack() {
        let blocks = waiting.withLock { blocks in
            defer { blocks = [] }
            return blocks
        }
        for block in blocks { unmap(block) }
    }

    /// Returns a cached block, or a new one that replaces one of another size.
    private static func block(of size: Int) -> UnsafeMutableRawPointer? {
        let (found, useless) = waiting.withLock { blocks -> (Block?, Block?) in
            if let fitting = blocks.lastIndex(where: { $0.size == size }) {
                return (blocks.remove(at: fitting), nil)
            }
            return (nil, blocks.popLast())
        }
        if let useless { unmap(useless) }
        if let found { return UnsafeMutableRawPointer(bitPattern: found.address) }
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return mapped == MAP_FAILED ? nil : mapped
    }

    private static func unmap(_ block: Block) {
        _ = munmap(UnsafeMutableRawPointer(bitPattern: block.address), block.size)
    }
}
