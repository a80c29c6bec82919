// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Testing

@Suite struct DerivedKeysTests {
    private let secrets = DerivedKeys(master: Secret([UInt8](repeating: 7, count: 32)))

    @Test("Attack 48: a master secret shorter than 32 bytes is refused")
    func tooShort() {
        #expect(DerivedKeys(master: Secret([UInt8](repeating: 7, count: 31))) == nil)
    }

    @Test("the hash of one purpose is not that of another")
    func purposes() throws {
        let secrets = try #require(secrets)
        let hashes = Set(DerivedKeys.Purpose.allCases.map { secrets.hash([1, 2, 3], for: $0) })
        #expect(hashes.count == DerivedKeys.Purpose.allCases.count)
        #expect(hashes.allSatisfy { $0.count == 32 })
    }

    @Test("what was sealed opens again, and only as it was and where it was")
    func sealing() throws {
        let secrets = try #require(secrets)
        let sealed = try secrets.seal(Secret("private"), context: "key/1")
        #expect(try secrets.open(sealed, context: "key/1").revealText() == "private")
        #expect(throws: (any Error).self) { try secrets.open(sealed, context: "key/2") }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: (any Error).self) { try secrets.open(changed, context: "key/1") }
        }
        #expect(throws: (any Error).self) { try secrets.open([], context: "key/1") }
    }

    @Test("another master secret opens nothing")
    func otherMaster() throws {
        let sealed = try #require(secrets).seal(Secret("private"), context: "key/1")
        let other = try #require(DerivedKeys(master: Secret([UInt8](repeating: 8, count: 32))))
        #expect(throws: (any Error).self) { try other.open(sealed, context: "key/1") }
    }
}
