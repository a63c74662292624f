<?php // A receiver in PHP without dependencies: GALERI_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8080 receiver.php
$key = base64_decode(str_replace('whsec_', '', (string) getenv('GALERI_WEBHOOK_SECRET')));
if ($key === '') {
    throw new RuntimeException('GALERI_WEBHOOK_SECRET is not set'); // anyone can sign with an empty key
}

function is_genuine(string $key, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($time) || abs(time() - (int) $time) > 300) {
        return false; // older than five minutes
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    // While a secret is being rotated there are two signatures; one of them is enough.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input'); // verify these bytes, not the parsed object
if (!is_genuine($key, $body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
// The same event may come more than once: keep its id in your database.
error_log($event['sequence'] . ' ' . $event['type'] . ' ' . $event['resource']['path']);
http_response_code(204); // within 15 seconds, or it is sent again
