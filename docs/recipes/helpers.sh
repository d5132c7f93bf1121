BASE=${SANDBOX_URL:-http://127.0.0.1:4010}
uuid() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen; }
id_of() {
  local body id
  body=$(cat)
  id=$(printf '%s' "$body" | grep -o '"id":"[^"]*"' | sed -n "${1:-1}p" | cut -d'"' -f4)
  [ -n "$id" ] || printf 'The response has no id: %s\n' "$body" >&2
  case $body in *'"rule":"fault:'*) echo 'A fault that you added caused this. Repeat the step; npx crossborder-sandbox fault list shows whether the fault is still active.' >&2 ;; esac
  printf '%s\n' "$id"
}
get() { curl -s "$BASE$1" -H "Authorization: Bearer $TOKEN"; }
post() { curl -s "$BASE$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -H "X-Idempotency-Key: $(uuid)" -d "$2"; }
control() { curl -s -X "$1" "$BASE/_sandbox$2" -H 'Content-Type: application/json' -d "$3"; }
TOKEN=$(curl -s "$BASE/api/oauth/client/token" -H 'Content-Type: application/json' -d '{"clientId":"sandbox","clientSecret":"sandbox-secret"}' | sed 's/.*"accessToken":"\([^"]*\)".*/\1/')
