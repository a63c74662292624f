<?php // Keeps a copy of the stock in mirror.json: the first run reads everything, each later one what has changed since.
// It may be stopped at any time; the next run continues where it stopped: GALERI_KEY=gal_prod_… php mirror.php
const API = 'https://galeri.example/api/v1';
const FILE = 'mirror.json';

$mirror = file_exists(FILE)
    ? json_decode(file_get_contents(FILE), true)
    : ['since' => ['changed' => '2000-01-01', 'deleted' => '2000-01-01'], 'vehicles' => []];

function get(string $url): array
{
    $header = 'Authorization: Bearer ' . getenv('GALERI_KEY');
    $context = stream_context_create(['http' => ['header' => $header, 'ignore_errors' => true]]);
    $reply = json_decode(file_get_contents($url, false, $context), true);
    $headers = implode("\n", $http_response_header);
    if (preg_match('/^HTTP\S+ (429|503)/', $headers)) {
        sleep(preg_match('/^Retry-After: (\d+)/mi', $headers, $found) ? (int) $found[1] : 5);
        return get($url);
    }
    if (!$reply['success']) {
        throw new RuntimeException($reply['error']['code'] . ': ' . $reply['error']['message']);
    }
    preg_match('/^Link:.*<([^<>]+)>; rel="next"/mi', $headers, $next);
    return [$reply['data'], $next[1] ?? null];
}

function walk(array &$mirror, string $list, array $query, callable $apply): void
{
    $first = $query + ['updated_since' => $mirror['since'][$list], 'cursor' => 'start', 'limit' => 100];
    for ($url = API . '/vehicles?' . http_build_query($first); $url !== null; $url = $next) {
        [$vehicles, $next] = get($url);
        foreach ($vehicles as $vehicle) {
            $apply($mirror, $vehicle);
            $mirror['since'][$list] = $vehicle['updated_at']; // the walk goes by updated_at
        }
        file_put_contents(FILE . '.new', json_encode($mirror));
        rename(FILE . '.new', FILE); // whole or not at all
    }
}

walk($mirror, 'changed', [], function (array &$mirror, array $vehicle): void {
    $mirror['vehicles'][$vehicle['id']] = $vehicle;
});
walk($mirror, 'deleted', ['deleted' => 'true'], function (array &$mirror, array $vehicle): void {
    unset($mirror['vehicles'][$vehicle['id']]);
});
echo count($mirror['vehicles']), " vehicles\n";
