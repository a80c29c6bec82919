// SPDX-License-Identifier: Apache-2.0
import CArgon2
import Platform
import Synchronization

/// The megabytes that computations work in, mapped from the system and used again and again.
///
/// The C library would store them in the arena of each thread, where they stay resident after the last
/// sign-in. libargon2 wipes its memory before it returns it, so a block that waits here contains
/// nothing of a password.
enum Argon2Memory {
    private struct Block {
        /// The address as a number: a block that waits is neither read nor written.
        let address: UInt
        let size: Int
    }

    /// Blocks that wait, never more than there were computations at one time.
    private static let waiting = Mutex<[Block]>([])

    /// libargon2's `allocate_cbk`.
    static let allocate:
        @convention(c) (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, Int) ->
            Int32 = { result, size in
                guard let result else { return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue }
                result.pointee = Argon2Memory.block(of: size)?.assumingMemoryBound(to: UInt8.self)
                return result.pointee == nil
                    ? ARGON2_MEMORY_ALLOCATION_ERROR.rawValue : ARGON2_OK.rawValue
            }

    /// libargon2's `free_cbk`.
    static let deallocate: @convention(c) (UnsafeMutablePointer<UInt8>?, Int) -> Void = {
        guard let address = $0 else { return }
        let block = Block(address: UInt(bitPattern: address), size: $1)
        Argon2Memory.waiting.withLock { $0.append(block) }
    }

    /// Returns to the system what waits.
    static func releaseUnused() {
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
        return ProcessMemory.map(size)
    }

    private static func unmap(_ block: Block) {
        ProcessMemory.unmap(UnsafeMutableRawPointer(bitPattern: block.address), block.size)
    }
}
