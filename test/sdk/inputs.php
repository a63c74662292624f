<?php
// Passes what programs commonly pass; prints the errors as JSON.
require __DIR__ . '/../../sdk/php/Galeri.php';

use Galeri\{Client, Webhook};

$client = new Client('gal_prod_x', getenv('GALERI_URL') . '/api/v1/', maxRetries: 0);
['body' => $body, 'headers' => $headers] = json_decode(getenv('DELIVERY'), true);

function refusal(callable $work): ?string
{
    try {
        $work();
        return null;
    } catch (\Exception $error) {
        return get_class($error) . ': ' . $error->getMessage();
    }
}

$at = new DateTimeImmutable('2026-11-15T12:00:00.25+03:00');
$client->get('vehicles', ['updated_since' => $at, 'include' => ['photos', 'videos']]);
echo json_encode([
    'object' => refusal(fn() => $client->get('vehicles', ['updated_since' => new stdClass()])),
    'invalid' => refusal(fn() => $client->post('tasks', ['prioriti' => 'x'])),
    'empty' => refusal(fn() => Webhook::verify($body, $headers, '')),
    'unset' => refusal(fn() => Webhook::verify($body, $headers, getenv('NO_SUCH_VARIABLE'))),
    'prefix' => refusal(fn() => Webhook::verify($body, $headers, 'whsec_')),
]);
