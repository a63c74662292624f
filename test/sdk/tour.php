<?php
// What an integrator does, through the PHP client; prints what was seen as one JSON value.
require __DIR__ . '/../../sdk/php/Galeri.php';

use Galeri\{ApiError, Client, Conflict, InvalidRequest, NotFound, Unauthorized, WriteOptions};

$client = new Client(getenv('GALERI_KEY'), getenv('GALERI_URL'));
$seen = [];

foreach (['vehicles', 'customers', 'account', 'developer/usage', 'developer/request-logs', 'developer/rate-limit'] as $path)
    $seen['live'][$path] = $client->send('GET', $path)->status;

$car = ['brand' => 'Škoda', 'model' => 'Octavia «Combi»', 'model_year' => 2020, 'km' => 0, 'fuel_type' => 'Dizel', 'transmission' => 'Otomatik',
    'body_type' => 'Station Wagon', 'color' => 'Gümüş', 'plate' => 'PHP 1', 'city' => 'Girne', 'price' => '10250.50', 'currency' => 'STG'];
$seen['dry'] = $client->post('vehicles', $car, new WriteOptions(dryRun: true))['plate'];
$made = $client->send('POST', 'vehicles', [], $car, ['Idempotency-Key' => 'php-1']);
$again = $client->send('POST', 'vehicles', [], $car, ['Idempotency-Key' => 'php-1']);
$seen['made'] = [$made->status, $made->isReplayed(), $again->isReplayed(), $made->data['id'] === $again->data['id'], $made->data['price']];
$seen['edited'] = $client->patch("vehicles/{$made->data['id']}", ['km' => 12])['km'];

foreach ([
    'conflict' => fn() => $client->post('vehicles', $car),
    'invalid' => fn() => $client->post('vehicles', ['plate' => ''] + $car),
    'absent' => fn() => $client->get('vehicles/00000000-0000-4000-8000-000000000000'),
    'parameter' => fn() => $client->get('vehicles', ['limit' => 1000]),
    'key' => fn() => (new Client('wrong', getenv('GALERI_URL')))->get('account'),
] as $name => $ask) {
    try {
        $ask();
        $seen['refused'][$name] = 'nothing';
    } catch (ApiError $error) {
        $kind = (new ReflectionClass($error))->getShortName();
        $seen['refused'][$name] = [$kind, $error->getCode(), $error->errorCode(), $error->param(), $error->details()[0]['field'] ?? null, $error->requestId() !== ''];
    }
}

$photo = ['file' => new Galeri\File(base64_decode(getenv('PICTURE')), 'front "1".jpg', 'image/jpeg'), 'caption' => 'Ön'];
$shot = $client->send('POST', "vehicles/{$made->data['id']}/photos", [], $photo, ['Idempotency-Key' => 'php-photo']);
$seen['photo'] = [$shot->status, $shot->data['caption']];

$read = $client->send('GET', "vehicles/{$made->data['id']}");
$client->patch("vehicles/{$made->data['id']}", ['km' => 13]);
$changed = $client->getIfChanged("vehicles/{$made->data['id']}", $read->etag());
$same = $client->getIfChanged("vehicles/{$made->data['id']}", $changed->etag());
$seen['conditional'] = [$changed->data['km'], $same];

$limited = new Client(getenv('LIMITED_KEY'), getenv('GALERI_URL'), maxRetries: 0);
foreach (['vehicles', 'account', 'account'] as $path) {
    try {
        $limited->get($path);
        $seen['limits'][] = 'ok';
    } catch (ApiError $error) {
        $seen['limits'][] = [$error->errorCode(), $error->requiredScope(), $error->retryAfter() > 0];
    }
}
$plates = [];
foreach ($client->each('vehicles', ['limit' => 3, 'city' => 'Lefkoşa']) as $vehicle) $plates[] = $vehicle['plate'];
$seen['walk'] = $plates;
echo json_encode($seen, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
