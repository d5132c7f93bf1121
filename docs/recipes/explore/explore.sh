#!/bin/sh
# Searches for an order of events that breaks the application, also by killing it. The sandbox at SANDBOX_URL must be running.
set -eu
cd "$(dirname "$0")"
export PORT="${PORT:-3000}"
app="http://localhost:$PORT"
crossborder-sandbox explore \
  --exec 'node app.mjs' --ready "$app/health" --crash \
  --journey "curl -sf -XPOST \"$app/pay?ref=\$SANDBOX_JOURNEY_REF\"" \
  --observe "curl -sf \"$app/payment?ref=\$SANDBOX_JOURNEY_REF\"" \
  --recover "curl -sf -XPOST $app/sync" \
  "$@"
