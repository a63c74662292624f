<?php // Adds a task once, however often the request has to be sent: GALERI_KEY=gal_prod_… php retry.php
const API = 'https://galeri.example/api/v1';

function write(string $method, string $path, array $body, array $headers): array
{
    $key = ['Authorization: Bearer ' . getenv('GALERI_KEY'), 'Content-Type: application/json'];
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => [...$key, ...$headers],
        'content' => json_encode($body),
        'ignore_errors' => true,
    ]]);
    for ($attempt = 1; ; $attempt++) {
        // Without a reply it is unknown whether the task was added. The same key makes it safe to retry.
        $http_response_header = [];
        $text = @file_get_contents(API . '/' . $path, false, $context);
        $reply = $text === false ? null : json_decode($text, true);
        $given = implode("\n", $http_response_header);
        $running = ($reply['error']['code'] ?? '') === 'idempotency_in_progress';
        if (($reply === null || $running || preg_match('/^HTTP\S+ (429|5\d\d)/', $given)) && $attempt < 6) {
            sleep(preg_match('/^Retry-After: (\d+)/mi', $given, $found) ? (int) $found[1] : 2 ** $attempt);
            continue;
        }
        if ($reply === null || !$reply['success']) {
            $error = $reply['error'] ?? ['code' => 'no reply', 'message' => ''];
            throw new RuntimeException($error['code'] . ': ' . $error['message']);
        }
        return [$reply['data'], preg_match('/^Idempotent-Replayed:/mi', $given) === 1];
    }
}

$task = ['title' => 'Ruhsatı iste', 'priority' => 'Yüksek'];
write('POST', 'tasks', $task, ['X-Dry-Run: true']); // checks everything, changes nothing
[$made, $replayed] = write('POST', 'tasks', $task, ['Idempotency-Key: order-1042-papers']);
echo $made['id'], $replayed ? ' was there already' : ' added', "\n";
