// SPDX-License-Identifier: Apache-2.0

/// A smart card on a reader. Its calls block; they are made on a thread of the card's own.
package protocol CardChannel: Sendable {
    /// Returns the card's response to one command APDU.
    ///
    /// - Parameter limit: The time limit, in milliseconds.
    /// - Throws: ``TransportError/timedOut`` after the limit; the card is then lost.
    func transmit(_ command: [UInt8], within limit: Int64) throws(TransportError) -> [UInt8]
    func close()
}
