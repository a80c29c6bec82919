// SPDX-License-Identifier: Apache-2.0
import CArgon2

/// Argon2id version 1.3, RFC 9106, computed by libargon2 on the calling thread.
///
/// Slow by design: only ``HashingPool`` calls it.
package enum Argon2 {
    /// The tag of `password` and `salt`, `length` bytes long.
    package static func tag(
        password: [UInt8], salt: [UInt8], parameters: Argon2Parameters, length: Int
    ) throws(PasswordHashingError) -> [UInt8] {
        guard parameters.isReasonable, let tagLength = UInt32(exactly: length),
            let passwordLength = UInt32(exactly: password.count),
            let saltLength = UInt32(exactly: salt.count)
        else { throw .unreasonableParameters }
        // libargon2 requires mutable pointers; it writes to `tag`, and wipes the copy of the
        // password that is made here.
        var (tag, password, salt) = ([UInt8](repeating: 0, count: length), password, salt)
        let status = tag.withUnsafeMutableBufferPointer { tag in
            password.withUnsafeMutableBufferPointer { password in
                salt.withUnsafeMutableBufferPointer { salt in
                    var context = argon2_context()
                    (context.out, context.outlen) = (tag.baseAddress, tagLength)
                    (context.pwd, context.pwdlen) = (password.baseAddress, passwordLength)
                    (context.salt, context.saltlen) = (salt.baseAddress, saltLength)
                    context.t_cost = parameters.iterations
                    context.m_cost = parameters.memory
                    context.lanes = parameters.lanes
                    // One thread computes every lane: the pool alone decides how many cores work.
                    context.threads = 1
                    context.allocate_cbk = Argon2Memory.allocate
                    context.free_cbk = Argon2Memory.deallocate
                    context.version = UInt32(ARGON2_VERSION_13.rawValue)
                    // ARGON2_FLAG_CLEAR_PASSWORD, a macro that Swift does not see.
                    context.flags = 1
                    return argon2_ctx(&context, Argon2_id)
                }
            }
        }
        guard status == ARGON2_OK.rawValue else { throw .engine(status: status) }
        return tag
    }
}
