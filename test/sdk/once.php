<?php
// One write through the PHP client; prints the reply's id, or how it failed.
require __DIR__ . '/../../sdk/php/Galeri.php';

try {
    $client = new Galeri\Client('key', getenv('GALERI_URL'), maxRetries: (int) (getenv('RETRIES') ?: 8));
    echo $client->post('vehicles', ['plate' => 'ŞĞ 1'])['id'];
} catch (Galeri\ConnectionFailed) {
    echo 'no answer';
} catch (Galeri\NotTheApi $error) {
    echo $error->getMessage();
} catch (Galeri\ApiError $error) {
    echo $error->errorCode();
}
