// SPDX-License-Identifier: Apache-2.0

/// How long this machine has been running, its sleep included. Setting the clock does not move it.
package protocol BootTimeClock: Sendable {
    var elapsed: Duration { get }
}
