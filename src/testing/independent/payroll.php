<?php
// The program of payroll.py in PHP without packages, over plain sockets. It has one worker: several processes share the work.
declare(strict_types=1);

define('TASK', json_decode(getenv('TASK'), true, 64, JSON_THROW_ON_ERROR));

function load(string $name): ?array
{
    $file = TASK['state'] . "/$name.json";
    return is_file($file) ? json_decode(file_get_contents($file), true, 64, JSON_THROW_ON_ERROR) : null;
}

function store(string $name, array $value): array
{
    $temporary = TASK['state'] . "/$name." . getmypid();
    file_put_contents($temporary, json_encode($value, JSON_THROW_ON_ERROR));
    rename($temporary, TASK['state'] . "/$name.json");
    return $value;
}

/** Kills this process if its task says so. */
function end_at(?string $name, string $moment): void
{
    if (($name !== null) && (TASK['killed'] ?? null) === ['payment' => $name, 'moment' => $moment]) {
        usleep(30000); // Enough for the request to arrive.
        posix_kill(getmypid(), 9);
    }
}

function uuid(?string $hex = null, string $version = '4'): string
{
    $hex ??= bin2hex(random_bytes(16));
    $hex[12] = $version;
    $hex[16] = '89ab'[hexdec($hex[16]) % 4];
    return substr($hex, 0, 8) . '-' . substr($hex, 8, 4) . '-' . substr($hex, 12, 4) . '-' . substr($hex, 16, 4) . '-' . substr($hex, 20, 12);
}

/** Sends one request. @return array{int, float, mixed} status, Retry-After, body; status 0 without a whole response */
function once(string $method, string $path, ?array $body, array $headers, ?string $name): array
{
    static $kept = null;
    $way = TASK['connection'] ?? 'keep';
    ['host' => $host, 'port' => $port] = parse_url(TASK['url']);
    $socket = $kept ?? @stream_socket_client("tcp://$host:$port", $error, $message, 5);
    $kept = null;
    if ($socket === false) {
        return [0, 0.0, null];
    }
    $timeout = TASK['timeoutMs'] ?? 15000;
    stream_set_timeout($socket, intdiv($timeout, 1000), $timeout % 1000 * 1000);
    $content = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR);
    $headers += ['Host' => "$host:$port", 'Content-Length' => (string) strlen($content)];
    if ($way === 'close') {
        $headers['Connection'] = 'close';
    }
    $lines = ["$method $path HTTP/" . ($way === 'http10' ? '1.0' : '1.1')];
    foreach ($headers as $field => $value) {
        $lines[] = "$field: $value";
    }
    if (@fwrite($socket, implode("\r\n", $lines) . "\r\n\r\n$content") === false) {
        return [0, 0.0, null];
    }
    end_at($name, 'sent');
    $status = 0;
    $received = [];
    while (($line = fgets($socket)) !== false && ($line = rtrim($line)) !== '') {
        if ($status === 0) {
            $status = (int) (explode(' ', $line)[1] ?? 0);
        } else {
            [$field, $value] = explode(':', $line, 2);
            $received[strtolower($field)] = trim($value);
        }
    }
    $length = isset($received['content-length']) ? (int) $received['content-length'] : null;
    $text = $length === 0 ? '' : stream_get_contents($socket, $length ?? -1);
    $isWhole = $status !== 0 && ($length === null || strlen($text) === $length);
    if ($isWhole && $way === 'keep' && $length !== null && strtolower($received['connection'] ?? '') !== 'close') {
        $kept = $socket;
    } else {
        fclose($socket);
    }
    $parsed = json_decode($text, true);
    return $isWhole && ($text === '' || $parsed !== null) ? [$status, (float) ($received['retry-after'] ?? 0), $parsed] : [0, 0.0, null];
}

/** Repeats the same request until it has a response, with growing waits and not before Retry-After. */
function send(string $method, string $path, ?array $body, array $headers, ?string $name = null, ?callable $find = null): array
{
    for ($attempt = 0; $attempt < 40; $attempt++) {
        [$status, $after, $parsed] = once($method, $path, $body, ['Content-Type' => 'application/json'] + $headers, $name);
        if ($status !== 0 && $status !== 429 && $status < 500) {
            return [$status, $parsed];
        }
        if ($status === 0 && $find !== null && ($found = $find()) !== null) {
            return [200, $found];
        }
        usleep((int) (1e6 * max(min(0.05 * 2 ** $attempt, 3) * random_int(50, 100) / 100, $after > 0 ? $after + 0.02 : 0)));
    }
    throw new RuntimeException("$method $path had no response: $status");
}

/** Returns the token of this process, or the one that all processes share. */
function token(?string $refused = null): string
{
    static $own = null;
    $file = fopen(TASK['state'] . '/token', 'c+');
    flock($file, LOCK_EX);
    $known = ($shares = TASK['sharesToken'] ?? false) ? stream_get_contents($file) : $own;
    if ($known === null || $known === '' || $known === $refused) {
        $known = send('POST', '/api/oauth/client/token', ['clientId' => TASK['clientId'], 'clientSecret' => TASK['clientSecret']], [])[1]['accessToken'];
        if ($shares) {
            ftruncate($file, 0);
            rewind($file);
            fwrite($file, $known);
        }
    }
    fclose($file);
    return $own = $known;
}

function api(string $method, string $path, ?array $body = null, ?string $key = null, ?array $payment = null, ?callable $find = null): array
{
    $used = token();
    for ($tries = 0; $tries < 4; $tries++) {
        $headers = ['Authorization' => "Bearer $used"];
        if ($key !== null) {
            $headers['X-Idempotency-Key'] = $key;
        }
        if (isset($payment['purpose'])) {
            $headers['X-Sandbox-Purpose'] = $payment['purpose'];
        }
        [$status, $received] = send($method, $path, $body, $headers, $payment['name'] ?? null, $find);
        if ($status !== 401) {
            return [$status, $received];
        }
        $used = token($used);
    }
    throw new RuntimeException('No token is accepted.');
}

function read(string $path): array
{
    for ($attempt = 0; $attempt < 8; $attempt++) {
        [$status, $received] = api('GET', $path);
        if ($status !== 404) {
            return $received;
        }
        usleep(100000 * 2 ** $attempt); // It may be too new to be found.
    }
    throw new RuntimeException("$path does not exist.");
}

/** Looks for a payment whose response was lost in the list of webhook deliveries, and reads it. */
function find_announced(array $payment): ?array
{
    $known = array_map(fn (array $each) => load($each['name'])['operation'] ?? null, TASK['payments']);
    for ($tries = 0; $tries < 4; $tries++) {
        $cursor = '';
        do {
            $list = '/api/subscriptions/' . TASK['subscription'] . '/executionLogs?limit=50&filters=eventType[eq]=OPERATION_REQUESTED';
            [, ['data' => $logs, 'meta' => $meta]] = api('GET', $list . $cursor);
            foreach ($logs as $log) {
                $event = json_decode($log['payload'], true);
                if (!in_array($event['id'], $known, true) && $event['sourceAmount']['value'] === $payment['amount']) {
                    return read("/api/operations/{$event['id']}");
                }
            }
            $cursor = '&cursor=' . urlencode($meta['nextCursor'] ?? '');
        } while ($meta['nextCursor'] !== null);
        usleep(150000);
    }
    return null;
}

/** Returns an idempotency key in the format of the payment. */
function new_key(array $payment): string
{
    return match ($payment['keys'] ?? 'v4') {
        'v5' => uuid(sha1(TASK['account'] . $payment['name']), '5'),
        'v7' => uuid(str_pad(dechex((int) (microtime(true) * 1000)), 12, '0', STR_PAD_LEFT) . bin2hex(random_bytes(10)), '7'),
        'v8' => uuid(null, '8'),
        'upper' => strtoupper(uuid()),
        default => uuid(),
    };
}

function fresh(array $payment): array
{
    return ['key' => new_key($payment), 'quoteKey' => uuid()];
}

function create(array $payment, array $job): array
{
    $find = (TASK['recovery'] ?? 'key') === 'deliveries' ? fn () => find_announced($payment) : null;
    if (($payment['kind'] ?? 'transfer') === 'transfer') {
        return api('POST', '/api/operations/transfer', [
            'sourceAccountId' => $payment['from'] ?? TASK['account'],
            'targetAccountId' => $payment['to'] ?? TASK['other'],
            'amount' => ['value' => $payment['amount'], 'asset' => 'BRL'],
        ], $job['key'], $payment, $find);
    }
    $wanted = ['accountId' => TASK['account'], 'sourceAsset' => 'BRL', 'targetAsset' => 'BRL', 'targetAmount' => $payment['amount']];
    $quote = api('POST', '/api/quotes', $wanted, $job['quoteKey'])[1];
    $body = ['accountId' => TASK['account'], 'quoteId' => $quote['id'], 'beneficiary' => $payment['payee'] ?? TASK['payee']];
    return api('POST', '/api/operations/withdrawal', $body, $job['key'], $payment, $find);
}

function pay(array $payment): array
{
    $name = $payment['name'];
    $job = load($name) ?? store($name, fresh($payment));
    while (!isset($job['operation']) && !isset($job['refusal'])) {
        end_at($name, 'stored');
        [$status, $received] = create($payment, $job);
        end_at($name, 'received');
        $job = store($name, match (true) {
            $status < 300 => $job + ['operation' => $received['id']],
            $received['code'] === 'QUOTE_EXPIRED' => fresh($payment),
            default => $job + ['refusal' => $received['code']],
        });
    }
    for ($wait = 0.1; (TASK['reads'] ?? true) && isset($job['operation']) && !isset($job['outcome']); $wait = min($wait * 1.5, 2)) {
        $status = read("/api/operations/{$job['operation']}")['currentState']['status'];
        if ($status === 'COMPLETED' || $status === 'FAILED') {
            $job = store($name, $job + ['outcome' => $status]);
        } else {
            usleep((int) ($wait * 1e6));
        }
    }
    return $job;
}

echo json_encode(array_map(pay(...), TASK['payments']), JSON_THROW_ON_ERROR);
