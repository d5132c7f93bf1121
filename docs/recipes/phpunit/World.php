<?php

declare(strict_types=1);

/** A world with a frozen clock in the sandbox at SANDBOX_URL: its own accounts, operations and faults. */
final class World
{
    private const TIMEOUT_SECONDS = 90; // Longer than the sandbox takes for any request.

    private static ?string $run = null;

    public readonly string $name;
    /** Base URL of the payments API. */
    public readonly string $url;
    public readonly string $clientId;
    public readonly string $clientSecret;
    private readonly string $controlUrl;

    private function __construct(string $name, array $settings)
    {
        $this->url = self::variable('SANDBOX_URL') ?: throw new RuntimeException(
            'There is no sandbox for the tests. Start one (docker run --rm -p 127.0.0.1:4010:4010 crossborder-sandbox) ' .
            'and set SANDBOX_URL=http://127.0.0.1:4010.'
        );
        $this->controlUrl = self::variable('SANDBOX_CONTROL_URL') ?: $this->url;
        $this->name = $name;
        $clock = ['mode' => 'FROZEN'] + (isset($settings['at']) ? ['now' => $settings['at']] : []);
        unset($settings['at']);
        $made = $this->control('PUT', "/worlds/$name?ifExists=replace", ['clock' => $clock, 'ttl' => '1h'] + $settings);
        ['clientId' => $this->clientId, 'clientSecret' => $this->clientSecret] = $made['credentials'];
    }

    /**
     * Creates a world.
     * @param string $test a name of the test that is unique in this run
     */
    public static function create(string $test, array $settings = []): self
    {
        self::$run ??= bin2hex(random_bytes(3));
        $slug = trim(preg_replace('/[^a-z0-9]+/', '-', strtolower(self::$run . '-' . $test)), '-');
        return new self(rtrim(substr($slug, 0, 54), '-') . '-' . substr(hash('sha256', $test), 0, 8), $settings);
    }

    private static function variable(string $name): string
    {
        return rtrim(trim((string) getenv($name)), '/');
    }

    /** Returns the environment variables with which an application connects to this world. */
    public function env(): array
    {
        return [
            'SANDBOX_URL' => $this->url,
            'SANDBOX_WORLD' => $this->name,
            'SANDBOX_CLIENT_ID' => $this->clientId,
            'SANDBOX_CLIENT_SECRET' => $this->clientSecret,
        ];
    }

    /**
     * Sends a request to the control API and returns its JSON.
     * @param string $path follows /_sandbox
     * @throws RuntimeException for an error response, with its status as code, or without a response
     */
    public function control(string $method, string $path, ?array $body = null, array $query = []): mixed
    {
        $headers = ['Accept: application/json'];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if (!str_starts_with($path, '/worlds/')) {
            $headers[] = "X-Sandbox-World: $this->name";
        }
        $token = self::variable('SANDBOX_CONTROL_TOKEN');
        if (preg_match('/^client-[^:]+:./', $token)) { // The credentials of a world.
            $headers[] = 'Authorization: Basic ' . base64_encode($token);
        } elseif ($token !== '') {
            $headers[] = "Authorization: Bearer $token";
        }
        $options = [
            'method' => $method,
            'header' => $headers,
            'content' => $body === null ? '' : json_encode($body ?: new stdClass(), JSON_THROW_ON_ERROR),
            'ignore_errors' => true,
            'timeout' => self::TIMEOUT_SECONDS,
        ];
        $address = "$this->controlUrl/_sandbox$path" . ($query ? '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986) : '');
        $stream = @fopen($address, 'r', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            throw new RuntimeException("No sandbox responds at $this->controlUrl. Start one, or set SANDBOX_URL to its address.");
        }
        $text = stream_get_contents($stream);
        $status = (int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1];
        $answer = json_decode($text, true);
        if ($status < 400) {
            return $answer;
        }
        $code = $answer['code'] ?? 'NOT_A_SANDBOX';
        $message = $answer['message'] ?? "$this->controlUrl does not respond as a sandbox does: " . substr($text, 0, 200);
        throw new RuntimeException("$message [$method $path] ($status $code)", $status);
    }

    /** Returns up to 100 items of a list, for example `list('beneficiaries', 'status[eq]=APPROVED')`. */
    public function list(string $resource, string $filters): array
    {
        return $this->control('GET', "/$resource", query: ['limit' => 100, 'filters' => $filters])['data'];
    }

    /** Advances the frozen clock by a duration, for example `30s`, with the webhooks that become due. */
    public function advance(string $by): void
    {
        $this->control('POST', '/clock/advance', ['by' => $by]);
    }

    /** Injects a fault, for example `['on' => 'REQUEST', 'times' => 1, 'effect' => ['connectionReset' => true]]`. */
    public function fault(array $rule): void
    {
        $this->control('POST', '/faults', $rule);
    }

    /** Returns what the application did wrong, if no more requests follow. */
    public function findings(): array
    {
        return $this->control('GET', '/findings', query: ['final' => 'true'])['data'];
    }

    /** Advances the frozen clock from timer to timer until an operation has a status, and returns the operation. */
    public function runTo(string $operationId, string $status): array
    {
        while (true) {
            $why = $this->control('GET', "/why/$operationId");
            if ($why['status'] === $status) {
                return $this->list('operations', "id[eq]=$operationId")[0];
            }
            $clock = $this->control('GET', '/clock');
            $outcomes = array_column($why['plan']['steps'] ?? [], 'outcome');
            $isPending = array_intersect($outcomes, ['NEXT', 'LATER']) !== [] && !$why['plan']['isWaiting'];
            if ($clock['mode'] !== 'FROZEN' || $clock['nextTimerAt'] === null || !$isPending) {
                $notes = implode(' ', $why['notes']);
                throw new RuntimeException("No timer leads operation $operationId from {$why['status']} to $status; the clock is {$clock['mode']}. $notes");
            }
            $this->control('POST', '/clock/advance', ['to' => $clock['nextTimerAt']]);
        }
    }

    /** Returns the URL of a webhook receiver inside the sandbox, for a subscription. */
    public function inboxUrl(string $inbox): string
    {
        return $this->control('GET', '')['internalUrl'] . '/_sandbox/inbox/' . rawurlencode($inbox) . "?world=$this->name";
    }

    /** Waits up to 10 seconds for a webhook in an inbox; earlier webhooks count too. It has `headers` and `body`. */
    public function waitForWebhook(string $inbox, string $eventType, string $resourceId): array
    {
        $query = ['eventType' => $eventType, 'resourceId' => $resourceId, 'timeoutMs' => 10000];
        return $this->control('GET', '/inbox/' . rawurlencode($inbox) . '/await', query: $query)['data'][0];
    }

    /** Returns the address of the world and a line for each of the newest 500 requests, statuses, webhooks, postings and findings. */
    public function story(): string
    {
        $lines = ["World $this->name is kept for an hour: $this->controlUrl/_sandbox/console/$this->name"];
        $kinds = 'REQUEST,CONTROL,STATE,DELIVERY,LEDGER,FINDING';
        $query = ['kinds' => $kinds, 'reads' => 'false', 'counts' => 'false', 'limit' => 500];
        try {
            foreach (array_reverse($this->control('GET', '/timeline', query: $query)['data']) as $item) {
                $line = "{$item['at']} {$item['summary']}";
                if (isset($item['request'])) {
                    $outcome = $item['request']['outcome'];
                    $line .= ': ' . ($item['status'] ?? 'in progress') . ($outcome === 'DELIVERED' ? '' : " $outcome");
                }
                $lines[] = $line;
            }
            $clock = $this->control('GET', '/clock');
            $lines[] = "{$clock['now']}, {$clock['mode']}, timers waiting: {$clock['pendingTimers']}";
        } catch (RuntimeException $error) { // The failure of the test matters more than its story.
            $lines[] = 'The story of this world is not available: ' . $error->getMessage();
        }
        return implode("\n", $lines);
    }
}
