<?php

declare(strict_types=1);

/** The application under test: pays out of an account, and verifies webhooks. */
final class Payouts
{
    private ?string $token = null;

    public function __construct(private readonly string $url, private readonly string $clientId, private readonly string $clientSecret)
    {
    }

    /**
     * Sends a request with an idempotency key, and repeats it with the same key if no response arrived.
     * @throws DomainException for an error response, with its status as code
     */
    public function call(string $method, string $path, ?array $body = null): array
    {
        $credentials = ['clientId' => $this->clientId, 'clientSecret' => $this->clientSecret];
        $this->token ??= $this->send('POST', '/api/oauth/client/token', $credentials, [])['accessToken'];
        $headers = ["Authorization: Bearer $this->token", 'X-Idempotency-Key: ' . self::newKey()];
        for ($triesLeft = 2; ; $triesLeft -= 1) {
            try {
                return $this->send($method, $path, $body, $headers);
            } catch (RuntimeException $unknown) {
                if ($triesLeft === 0) {
                    throw $unknown;
                }
            }
        }
    }

    private function send(string $method, string $path, ?array $body, array $headers): array
    {
        $options = [
            'method' => $method,
            'header' => [...$headers, 'Content-Type: application/json'],
            'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
            'ignore_errors' => true,
        ];
        $stream = @fopen($this->url . $path, 'r', false, stream_context_create(['http' => $options]));
        $text = $stream === false ? false : stream_get_contents($stream);
        if ($text === false) {
            throw new RuntimeException("$method $path has no response.");
        }
        $status = (int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1];
        if ($status >= 400) {
            throw new DomainException($text, $status);
        }
        return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    }

    /** Pays an amount in BRL to a beneficiary. Returns the id of the operation, which is REQUESTED. */
    public function pay(array $beneficiary, string $amount): string
    {
        $account = $this->call('GET', '/api/accounts?limit=1&sortOrder=ASCENDING')['data'][0]['id'];
        $asked = ['accountId' => $account, 'sourceAsset' => 'BRL', 'targetAsset' => 'BRL', 'sourceAmount' => $amount];
        $quote = $this->call('POST', '/api/quotes', $asked)['id'];
        $instruction = ['type' => 'REFERENCE', 'id' => $beneficiary['paymentInstructions'][0]['id']];
        $target = ['type' => 'REFERENCE', 'id' => $beneficiary['id'], 'paymentInstruction' => $instruction];
        $withdrawal = ['accountId' => $account, 'quoteId' => $quote, 'beneficiary' => $target];
        return $this->call('POST', '/api/operations/withdrawal', $withdrawal)['id'];
    }

    /** Verifies X-Message-Signature: HMAC-SHA256 of the message id and the client id. It does not cover the body. */
    public function isGenuine(string $messageId, string $signature): bool
    {
        return hash_equals(hash_hmac('sha256', "$messageId+$this->clientId", $this->clientSecret), $signature);
    }

    private static function newKey(): string
    {
        $random = random_bytes(16);
        $random[6] = chr(ord($random[6]) & 0x0f | 0x40);
        $random[8] = chr(ord($random[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($random), 4));
    }
}
