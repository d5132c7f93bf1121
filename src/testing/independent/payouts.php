<?php
// A client in PHP without packages: one process for each worker and one for webhooks, a new connection for each request, files as memory.
declare(strict_types=1);

final class Refused extends RuntimeException
{
    public function __construct(public readonly int $status, public readonly string $reason, string $message)
    {
        parent::__construct("$status $reason: $message");
    }
}

function state(string $name): string
{
    return getenv('STATE') . '/' . $name;
}

/** Stores a value under a name, whole or not at all. */
function store(string $name, array $value): array
{
    $temporary = state("$name." . getmypid());
    file_put_contents($temporary, json_encode($value, JSON_THROW_ON_ERROR));
    rename($temporary, state($name));
    return $value;
}

function load(string $name): ?array
{
    return is_file(state($name)) ? json_decode(file_get_contents(state($name)), true, 64, JSON_THROW_ON_ERROR) : null;
}

function uuid(): string
{
    $hex = bin2hex(random_bytes(16));
    $hex[12] = '4';
    $hex[16] = '89ab'[random_int(0, 3)];
    return substr($hex, 0, 8) . '-' . substr($hex, 8, 4) . '-' . substr($hex, 12, 4) . '-' . substr($hex, 16, 4) . '-' . substr($hex, 20);
}

/**
 * Sends one request over a new connection. @return array{int, mixed, float} status, body, Retry-After; status 0 without a whole response
 */
function once(string $method, string $path, ?array $body, array $headers): array
{
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
    }
    $http = ['method' => $method, 'header' => $headers, 'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'ignore_errors' => true, 'timeout' => 15, 'protocol_version' => 1.1];
    $http['header'][] = 'Connection: close';
    $text = @file_get_contents(getenv('URL') . $path, false, stream_context_create(['http' => $http]));
    $lines = $http_response_header ?? [];
    $parsed = $text === false ? null : json_decode($text, true);
    if ($lines === [] || $parsed === null) {
        return [0, null, 0.0];
    }
    $after = 0.0;
    foreach ($lines as $line) {
        if (stripos($line, 'Retry-After:') === 0) {
            $after = (float) substr($line, 12);
        }
    }
    return [(int) explode(' ', $lines[0])[1], $parsed, $after];
}

function send(string $method, string $path, ?array $body, array $headers): array
{
    for ($attempt = 0; ; $attempt++) {
        [$status, $parsed, $after] = once($method, $path, $body, $headers);
        if ($status >= 200 && $status < 300) {
            return $parsed;
        }
        $isTemporary = $status === 0 || $status === 429 || $status >= 500;
        if (!$isTemporary || $attempt === 40) {
            throw new Refused($status, $parsed['code'] ?? '', $parsed['message'] ?? 'no response');
        }
        $backoff = min(0.1 * 2 ** $attempt, 5) * random_int(50, 100) / 100;
        usleep((int) (max($backoff, $after) * 1e6));
    }
}

/** Returns the token that all processes share. One process requests a new token while the others wait for the lock. */
function token(?string $refused): string
{
    $file = fopen(state('token'), 'c+');
    flock($file, LOCK_EX);
    $known = stream_get_contents($file);
    if ($known === '' || $known === $refused) {
        $credentials = ['clientId' => getenv('CLIENT_ID'), 'clientSecret' => getenv('CLIENT_SECRET')];
        $known = send('POST', '/api/oauth/client/token', $credentials, [])['accessToken'];
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, $known);
        fflush($file);
    }
    fclose($file);
    return $known;
}

function api(string $method, string $path, ?array $body = null, ?string $key = null): array
{
    $used = null;
    for ($tries = 0; ; $tries++) {
        $used = token($used);
        $headers = ["Authorization: Bearer $used"];
        if ($key !== null) {
            $headers[] = "X-Idempotency-Key: $key";
        }
        try {
            return send($method, $path, $body, $headers);
        } catch (Refused $error) {
            if ($error->reason !== 'EXPIRED_ACCESS_TOKEN' || $tries === 3) {
                throw $error;
            }
        }
    }
}

function read(string $path): array
{
    for ($tries = 0; ; $tries++) {
        try {
            return api('GET', $path);
        } catch (Refused $error) {
            if ($error->status !== 404 || $tries === 5) {
                throw $error;
            }
            usleep(250000 * 2 ** $tries); // The resource may be too new to be found.
        }
    }
}

function create_once(string $name, string $path, array $body): string
{
    $known = load($name) ?? store($name, ['key' => uuid()]);
    if (!isset($known['id'])) {
        $known = store($name, $known + ['id' => api('POST', $path, $body, $known['key'])['id']]);
    }
    return $known['id'];
}

function prepare(): array
{
    $url = 'http://127.0.0.1:' . getenv('PORT') . '/hooks';
    create_once('subscription', '/api/subscriptions', ['url' => $url, 'includeAll' => true, 'allowRetry' => true]);
    $beneficiary = create_once('beneficiary', '/api/beneficiaries', [
        'holder' => ['type' => 'COMPANY', 'legalName' => 'Jacaranda Livros Ltda', 'taxId' => ['type' => 'CNPJ', 'value' => '11.222.333/0001-81']],
        'relationshipType' => 'THIRD_PARTY',
        'paymentInstruction' => ['type' => 'PIX', 'asset' => 'BRL', 'dictKeyType' => 'EMAIL', 'dictKey' => 'caixa@example.com'],
    ]);
    for ($wait = 0.4; ; $wait = min($wait * 1.5, 3)) {
        $found = read("/api/beneficiaries/$beneficiary");
        if ($found['status'] === 'APPROVED') {
            break;
        }
        usleep((int) ($wait * 1e6));
    }
    $account = api('GET', '/api/accounts?limit=1&sortOrder=ASCENDING')['data'][0]['id'];
    $instruction = ['type' => 'REFERENCE', 'id' => $found['paymentInstructions'][0]['id']];
    return [$account, ['type' => 'REFERENCE', 'id' => $beneficiary, 'paymentInstruction' => $instruction]];
}

function fresh_keys(): array
{
    return ['quoteKey' => uuid(), 'key' => uuid()];
}

function pay(int $index, string $account, array $payee): void
{
    $name = "payment-$index";
    $job = load($name) ?? store($name, fresh_keys());
    $amounts = explode(',', getenv('AMOUNTS'));
    while (!isset($job['operation']) && !isset($job['refusal'])) {
        if (!isset($job['quote'])) {
            $quote = ['accountId' => $account, 'sourceAsset' => 'BRL', 'targetAsset' => 'BRL', 'sourceAmount' => $amounts[$index % count($amounts)]];
            $job = store($name, $job + ['quote' => api('POST', '/api/quotes', $quote, $job['quoteKey'])['id']]);
        }
        try {
            $body = ['accountId' => $account, 'quoteId' => $job['quote'], 'beneficiary' => $payee];
            $job = store($name, $job + ['operation' => api('POST', '/api/operations/withdrawal', $body, $job['key'])['id']]);
        } catch (Refused $error) {
            if ($error->status === 0 || $error->status >= 500) {
                throw $error;
            }
            $job = store($name, $error->reason === 'QUOTE_EXPIRED' ? fresh_keys() : $job + ['refusal' => $error->getMessage()]);
        }
    }
    for ($wait = 1.0; isset($job['operation']) && !isset($job['outcome']); $wait = min($wait * 1.5, 8)) {
        for ($waited = 0.0; $waited < $wait && !is_file(state("heard-{$job['operation']}")); $waited += 0.1) {
            usleep(100000);
        }
        $status = read("/api/operations/{$job['operation']}")['currentState']['status'];
        if (in_array($status, ['COMPLETED', 'FAILED'], true)) {
            $job = store($name, $job + ['outcome' => $status]);
        }
    }
}

function is_genuine(array $headers, string $rawBody): bool
{
    $secret = getenv('CLIENT_SECRET');
    $id = $headers['x-message-id'] ?? '';
    if (!hash_equals(hash_hmac('sha256', $id . '+' . getenv('CLIENT_ID'), $secret), $headers['x-message-signature'] ?? '')) {
        return false;
    }
    if (!isset($headers['webhook-signature'])) {
        return true;
    }
    $covering = hash_hmac('sha256', "$id.{$headers['webhook-timestamp']}.$rawBody", $secret, true);
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        if (hash_equals('v1,' . base64_encode($covering), $given)) {
            return true;
        }
    }
    return false;
}

/** Handles webhooks one after another, each on its own connection. */
function receive(): never
{
    $address = 'tcp://127.0.0.1:' . getenv('PORT');
    $context = stream_context_create(['socket' => ['so_reuseport' => true, 'backlog' => 64]]);
    $server = stream_socket_server($address, $code, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context) ?: exit(70);
    while (true) {
        $connection = @stream_socket_accept($server, 3600);
        if ($connection === false) {
            continue;
        }
        stream_set_timeout($connection, 5);
        $headers = [];
        fgets($connection);
        while (($line = fgets($connection)) !== false && rtrim($line) !== '') {
            [$header, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($header)] = trim($value);
        }
        $length = (int) ($headers['content-length'] ?? 0);
        $body = $length > 0 ? (string) stream_get_contents($connection, $length) : '';
        $isGenuine = is_genuine($headers, $body);
        if ($isGenuine && !is_file(state('message-' . basename($headers['x-message-id'])))) {
            if (in_array($headers['x-event-type'], ['OPERATION_COMPLETED', 'OPERATION_FAILED'], true)) {
                touch(state('heard-' . basename(json_decode($body, true)['id'])));
            }
            touch(state('message-' . basename($headers['x-message-id'])));
        }
        fwrite($connection, ($isGenuine ? 'HTTP/1.1 204 No Content' : "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0") . "\r\nConnection: close\r\n\r\n");
        fclose($connection);
    }
}

function in_process(callable $work): int
{
    $child = pcntl_fork();
    if ($child === 0) {
        $work();
        exit(0);
    }
    return $child;
}

in_process('receive');
file_put_contents(state('token'), ''); // The token of an earlier process may have expired.
$payee = prepare();
$workers = (int) getenv('WORKERS');
$payments = (int) getenv('PAYMENTS');
$children = [];
for ($worker = 0; $worker < $workers; $worker++) {
    $children[] = in_process(function () use ($worker, $workers, $payments, $payee): void {
        for ($index = $worker; $index < $payments; $index += $workers) {
            pay($index, ...$payee);
        }
    });
}
foreach ($children as $child) {
    pcntl_waitpid($child, $status);
    if ($status !== 0) {
        exit(71);
    }
}
store('done', array_map(fn (int $index): ?array => load("payment-$index"), range(0, $payments - 1)));
pcntl_wait($status);
