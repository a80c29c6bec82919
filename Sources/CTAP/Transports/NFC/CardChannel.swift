// SPDX-License-Identifier: Apache-2.0

/// A smart card on a reader. Its calls block; they are made on a thread of the card's own.
package protocol CardChannel: Sendable {
    /// The card's response to one command APDU.
    func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8]
    func close()
}
