// SPDX-License-Identifier: Apache-2.0
import Platform

/// The machine's clock.
package struct SystemMonotonicClock: MonotonicClock {
    package init() {}

    package var milliseconds: Int64 { MachineClock.monotonicMilliseconds }

    package func rest(milliseconds: Int64) { MachineClock.sleep(.milliseconds(milliseconds)) }
}
