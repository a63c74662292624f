<?php
// Checks a delivery given as JSON on stdin: {body, headers, secrets}.
require __DIR__ . '/../../sdk/php/Galeri.php';

$given = json_decode(stream_get_contents(STDIN), true, 16, JSON_THROW_ON_ERROR);
try {
    echo Galeri\Webhook::verify($given['body'], $given['headers'], $given['secrets'])['type'];
} catch (Galeri\WebhookRefused $refusal) {
    echo $refusal->getMessage();
}
