// SPDX-License-Identifier: Apache-2.0
import Platform

/// `CLOCK_BOOTTIME`
package struct SystemBootTimeClock: BootTimeClock {
    package init() {}

    /// Since the machine was started, so that it means the same in the next process.
    package var elapsed: Duration { MachineClock.sinceBoot }
}
