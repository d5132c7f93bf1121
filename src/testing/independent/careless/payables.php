<?php
// Pays the open invoices of a company, started by cron: php payables.php [habit …]
// Each habit is a mistake that was found in a program of this kind. Without one, the program pays each invoice once.
declare(strict_types=1);

final class Failure extends RuntimeException
{
    public function __construct(public readonly int $status, public readonly string $reason, public readonly float $after, string $message)
    {
        parent::__construct("$status $reason: $message");
    }
}

function has(string $habit): bool
{
    return in_array($habit, $_SERVER['argv'], true);
}

function state(string $name): string
{
    return getenv('STATE') . '/' . $name;
}

function uuid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

/** Sends one request over a new connection. @throws Failure with status 0 without a complete response */
function send(string $method, string $path, ?array $body, array $headers): array
{
    $http = ['method' => $method, 'header' => [...$headers, 'Connection: close'], 'ignore_errors' => true, 'timeout' => (int) getenv('TIMEOUT_MS') / 1000, 'protocol_version' => 1.1];
    if ($body !== null) {
        $http['header'][] = 'Content-Type: application/json';
        $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    }
    $text = @file_get_contents(getenv('URL') . $path, false, stream_context_create(['http' => $http]));
    $lines = $http_response_header ?? [];
    $parsed = $text === false ? null : json_decode($text, true);
    if ($lines === [] || $parsed === null) {
        throw new Failure(0, 'LOST', 0, 'no response');
    }
    $status = (int) explode(' ', $lines[0])[1];
    if ($status < 300 && !(has('expects-200') && $status !== 200 && str_starts_with($path, '/api/operations'))) {
        return $parsed;
    }
    $after = preg_filter('/^Retry-After: */i', '', $lines);
    throw new Failure($status, $parsed['code'] ?? '', (float) (reset($after) ?: 0), $parsed['message'] ?? '');
}

function token(bool $isNew = false): string
{
    $file = fopen(state('token'), 'c+');
    flock($file, LOCK_EX);
    $known = (string) stream_get_contents($file);
    if ($known === '' || $isNew) {
        $known = send('POST', '/api/oauth/client/token', ['clientId' => getenv('CLIENT_ID'), 'clientSecret' => getenv('CLIENT_SECRET')], [])['accessToken'];
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, $known);
    }
    fclose($file);
    return $known;
}

function once(string $method, string $path, ?array $body = null, ?string $key = null, ?string $purpose = null): array
{
    $headers = ['Authorization: Bearer ' . token()];
    if ($key !== null) {
        $headers[] = (has('wrong-header') ? 'Idempotency-Key' : 'X-Idempotency-Key') . ": $key";
    }
    if ($purpose !== null) {
        $headers[] = "X-Sandbox-Purpose: $purpose";
    }
    return send($method, $path, $body, $headers);
}

/** Sends a request again while it fails for a cause that passes. */
function call(string $method, string $path, ?array $body = null, ?string $key = null, ?string $purpose = null): array
{
    for ($attempt = 1; ; $attempt++) {
        try {
            return once($method, $path, $body, has('key-per-attempt') && $key !== null ? uuid() : $key, $purpose);
        } catch (Failure $error) {
            $isTemporary = in_array($error->status, [0, 401, 429], true) || $error->status >= 500;
            if (!$isTemporary || $attempt === 8) {
                throw $error;
            }
            if ($error->status === 401) {
                token(true);
            }
            usleep((int) (max($error->after + 0.02, min(0.05 * 2 ** $attempt, 2)) * 1e6));
        }
    }
}

function load(int $number): array
{
    return json_decode(file_get_contents(state("invoice-$number")), true);
}

/** Stores the changes of an invoice, unless the program does so only at the end. */
function save(array &$invoice, array $changes): void
{
    $invoice = $changes + $invoice;
    if (!has('commits-at-the-end')) {
        file_put_contents(state("invoice-{$invoice['number']}"), json_encode($invoice), LOCK_EX);
    }
}

function written(string $amount): string
{
    return match (true) {
        has('cents') => (string) (int) round((float) $amount * 100),
        has('brazilian') => number_format((float) $amount, 2, ',', '.'),
        has('float-sums') => json_encode((float) $amount / 1.17 * 0.17 + (float) $amount / 1.17),
        default => $amount,
    };
}

/** Makes the payment of an invoice. @return the id of the operation */
function create(array $invoice, string $key): string
{
    $account = getenv('ACCOUNT');
    $amount = written($invoice['amount']);
    if (has('transfers')) {
        $path = '/api/operations/transfer';
        $body = ['sourceAccountId' => $account, 'targetAccountId' => getenv('OTHER_ACCOUNT'), 'amount' => ['value' => $amount, 'asset' => 'BRL']];
    } else {
        $path = '/api/operations/withdrawal';
        $quote = call('POST', '/api/quotes', ['accountId' => $account, 'sourceAsset' => 'BRL', 'targetAsset' => 'BRL', 'sourceAmount' => $amount], uuid());
        $instruction = ['type' => 'REFERENCE', 'id' => getenv('INSTRUCTION')];
        $payee = ['type' => 'REFERENCE', 'id' => getenv('BENEFICIARY'), 'paymentInstruction' => $instruction];
        $body = ['accountId' => $account, 'quoteId' => $quote['id'], 'beneficiary' => $payee];
    }
    $purpose = has('purposes') ? "invoice {$invoice['number']}" : null;
    return (has('no-retries') ? once(...) : call(...))('POST', $path, $body, $key, $purpose)['id'];
}

/** Waits for the end of an operation. @return its status */
function outcome(string $operation, float $seconds = 12, bool $isImpatient = false): string
{
    $until = microtime(true) + $seconds;
    for ($wait = has('missing-is-unpaid') ? 0 : 0.25; ; $wait = min($wait * 1.5 + 0.05, 2)) {
        $status = 'UNKNOWN';
        if (has('webhooks')) {
            usleep(50000);
            $status = is_file(state("heard-$operation")) ? file_get_contents(state("heard-$operation")) : 'UNKNOWN';
        } else {
            usleep((int) (max(min($wait, $until - microtime(true)), 0) * 1e6));
            try {
                $status = call('GET', "/api/operations/$operation")['currentState']['status'];
            } catch (Failure $error) {
                if ($error->status !== 404) {
                    throw $error;
                }
                if ($isImpatient && has('missing-is-unpaid')) {
                    return 'MISSING';
                }
            }
        }
        if (in_array($status, ['COMPLETED', 'FAILED'], true) || microtime(true) >= $until || (has('held-is-failed') && $status === 'ON_HOLD')) {
            return $status;
        }
    }
}

function pay(array $invoice): void
{
    $givesUp = has('processing-is-failed') || has('requeues') || has('held-is-failed') || has('missing-is-unpaid');
    $key = uuid();
    for ($attempt = 1; $attempt <= 3; $attempt++) {
        try {
            $operation = create($invoice, $key);
            $key = uuid();
        } catch (Failure $error) {
            if (has('keeps-the-key') && in_array($error->reason, ['LOST', 'IDEMPOTENCY_CONFLICT'], true)) {
                // A new quote with the old key; when that is a conflict, the key is used up.
                $key = $error->reason === 'LOST' ? $key : uuid();
                continue;
            }
            $key = uuid();
            if (has('expects-200') && $error->status === 201) {
                continue;
            }
            save($invoice, ['status' => $error->status === 0 || $error->status >= 500 ? 'ERROR' : 'REJECTED']);
            if ($error->status === 0 && has('lost-is-unpaid')) {
                continue;
            }
            if ($error->status === 0 && has('dies')) {
                exit(0); // PHP Fatal error: Maximum execution time exceeded
            }
            return;
        }
        save($invoice, ['status' => 'SENT', 'operation' => $operation]);
        $isImpatient = $attempt === 1 && (has('processing-is-failed') || has('requeues'));
        $status = outcome($operation, $isImpatient ? 1.6 : 12, $attempt === 1);
        if ($attempt >= 2 || !$givesUp || in_array($status, ['COMPLETED', 'FAILED'], true)) {
            save($invoice, ['status' => $status]);
            return;
        }
    }
}

function is_genuine(array $headers, string $body): bool
{
    $secret = getenv('CLIENT_SECRET');
    ['x-message-id' => $id, 'webhook-timestamp' => $at] = $headers;
    if (!hash_equals(hash_hmac('sha256', $id . '+' . getenv('CLIENT_ID'), $secret), $headers['x-message-signature'] ?? '')) {
        return false;
    }
    $covering = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $secret, true));
    return abs(time() - (int) $at) < 300 && in_array($covering, explode(' ', $headers['webhook-signature'] ?? ''), true);
}

/** Handles webhooks one after another. */
function receive($server): never
{
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
        $body = (string) stream_get_contents($connection, (int) ($headers['content-length'] ?? 0));
        $accepts = has('unverified') || is_genuine($headers, $body);
        if ($accepts && in_array($headers['x-event-type'], ['OPERATION_COMPLETED', 'OPERATION_FAILED'], true)) {
            $event = json_decode($body, true);
            file_put_contents(state("heard-{$event['id']}"), $event['currentState']['status']);
        }
        fwrite($connection, ($accepts ? 'HTTP/1.1 204 No Content' : "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0") . "\r\nConnection: close\r\n\r\n");
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

$invoices = json_decode(file_get_contents(state('invoices.json')), true);
foreach ($invoices as $index => $invoice) {
    $invoices[$index] = is_file(state("invoice-{$invoice['number']}")) ? load($invoice['number']) : $invoice;
}
$open = array_values(array_filter($invoices, fn (array $each): bool => !in_array($each['status'] ?? '', ['COMPLETED', 'FAILED', 'REJECTED'], true)));
token(true);
if (has('webhooks')) {
    $server = stream_socket_server('tcp://127.0.0.1:' . getenv('PORT')) ?: exit(70);
    $receiver = in_process(fn () => receive($server));
    $url = 'http://127.0.0.1:' . getenv('PORT') . '/events.php';
    call('POST', '/api/subscriptions', ['url' => $url, 'includeAll' => true, 'allowRetry' => true], uuid());
}
// Each child pays its share of the rows; two children pay all of them when both have selected them all.
$children = has('one-by-one') ? 1 : 8;
$workers = [];
for ($child = 0; $child < $children; $child++) {
    $share = array_filter($open, fn (int $index): bool => $index % $children === $child || (has('two-workers') && $index % $children === ($child + 4) % 8), ARRAY_FILTER_USE_KEY);
    $workers[] = in_process(fn () => array_map('pay', $share));
}
foreach ($workers as $worker) {
    pcntl_waitpid($worker, $status);
    if ($status !== 0) {
        exit(71);
    }
}
if (has('commits-at-the-end')) {
    foreach ($open as $invoice) {
        file_put_contents(state("invoice-{$invoice['number']}"), json_encode(['status' => 'COMPLETED'] + $invoice));
    }
}
if (isset($receiver)) {
    sleep(1);
    posix_kill($receiver, SIGKILL);
}
