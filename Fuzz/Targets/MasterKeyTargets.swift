// SPDX-License-Identifier: Apache-2.0
import MasterKeyFormat
import PasswordHashing
import Primitives

extension FuzzTarget {
    /// A sealed master key that is parsed is written again as it was. The input is a line, and the
    /// bytes of one.
    static let sealedMasterKey = FuzzTarget(name: "sealed-master-key") { bytes in
        let head = Array("gatehouse-sealed-master-key-1.".utf8)
        for line in [bytes, head + Base64URL.encodeBytes(bytes)] {
            guard let sealed = try? SealedMasterKey(line: line) else { continue }
            precondition(SealedMasterKey.isSealed(line), "another line was parsed")
            precondition(sealed.line == line, "two spellings of the same key")
            guard case .passphrase(let cost, let salt) = sealed.parameters else { continue }
            precondition(cost.isReasonable && salt.count == 16, "a cost without a limit")
        }
    }
}
