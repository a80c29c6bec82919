-- SPDX-License-Identifier: Apache-2.0
-- What every script here ends with: one JSON line. `good` counts the answers that the script
-- itself recognised as right, so a fast server of errors scores nothing.
local report = {}
local threads = {}

function report.setup(thread)
    table.insert(threads, thread)
    thread:set("number", #threads)
end

function report.done(summary, latency)
    local good, sample = 0, ""
    for _, thread in ipairs(threads) do
        good = good + (thread:get("good") or 0)
        local seen = thread:get("bad")
        if seen and seen ~= "" then sample = seen end
    end
    local errors = summary.errors
    io.write(string.format(
        'REPORT {"seconds":%.6f,"requests":%d,"good":%d,"refused":%d,"socket_errors":%d,' ..
        '"p50_us":%d,"p99_us":%d}\n',
        summary.duration / 1e6, summary.requests, good, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout,
        latency:percentile(50), latency:percentile(99)))
    if sample ~= "" then io.write("SAMPLE " .. sample:gsub("%s+", " "):sub(1, 300) .. "\n") end
end

return report
