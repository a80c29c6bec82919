// SPDX-License-Identifier: Apache-2.0
import Documents
import Support
import Testing

@Suite struct DocumentMutationTests {
    private static let seeds = [
        """
        projects:
          - name: default
            clients:
              - client_id: shop   # the shop
                redirect_uris: ["http://localhost:9001/callback"]
                scope: openid profile
            users:
              - {username: anna, name: 'Anna', groups: [staff], email_verified: true}
        """,
        "a: &x [1, 2.5, null, ~, \"\\u00e9\"]\nb: *x\nc: |\n  text\n  more\nd: >-\n  folded\n",
        "{\"a\": [1, \"x\", null, true, 1.5, {\"b\": \"yes\"}], \"c\": \"\\n\"}",
    ]

    @Test(
        "Whatever a document is changed to, it is refused or survives being written",
        arguments: 0..<3)
    func mutations(index: Int) throws {
        var random = SeededRandom(seed: UInt64(index + 1))
        let seed = Array(Self.seeds[index].utf8)
        for _ in 0..<1500 {
            let mutant = mutate(seed, &random)
            guard let value = try? DocumentReader.read(mutant).json else { continue }
            let text = try DocumentWriter.yaml(value)
            let again = try DocumentReader.read(Array(text.utf8)).json
            #expect(again == value, "\(mutant)")
        }
    }

    private func mutate(_ seed: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...127, using: &random)
            case 1:
                bytes.insert(
                    contentsOf: "[]{}:-&*!|>'\"#%@`, \n\t".utf8.shuffled(using: &random).prefix(1),
                    at: place)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 3))
            default: bytes = Array(bytes.prefix(max(1, place)))
            }
            if bytes.isEmpty { bytes = [0x61] }
        }
        return bytes
    }
}
