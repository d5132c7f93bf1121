<?php

/** Verifies the signatures of a webhook. `$headers` has names in lower case, `$rawBody` the bytes before any parsing. */
function is_genuine(array $headers, string $rawBody, string $clientId, string $clientSecret): bool
{
    $id = $headers['x-message-id'] ?? '';
    $expected = hash_hmac('sha256', $id . '+' . $clientId, $clientSecret);
    if (!hash_equals($expected, $headers['x-message-signature'] ?? '')) { // Production sends only this one.
        return false;
    }

    if (!isset($headers['webhook-signature'])) {
        return true;
    }
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $covering = 'v1,' . base64_encode(hash_hmac('sha256', $id . '.' . $timestamp . '.' . $rawBody, $clientSecret, true));
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        if (hash_equals($covering, $given)) {
            return true;
        }
    }
    return false;
}
