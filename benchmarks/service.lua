-- Load for wrk (docs/service.md): POST /translate with one sentence of benchmarks/sentences.txt after another.
--
--     wrk -t1 -c20 -d60s --timeout 120s --latency -s benchmarks/service.lua http://127.0.0.1:8502/translate
--
-- Run it in the root of the repository. BODY in the environment adds members to each request, such as '"beam": 5'.

local requests, number = {}, 0

function init()
  local more = os.getenv("BODY")
  for line in io.lines("benchmarks/sentences.txt") do
    local text = line:gsub("\\", "\\\\"):gsub('"', '\\"')
    local body = '{"sentences": ["' .. text .. '"]' .. (more and ", " .. more or "") .. "}"
    table.insert(requests, wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body))
  end
end

function request()
  number = number % #requests + 1
  return requests[number]
end
