<?php
// Keeps a copy of a dealer's vehicles in a file. Run it as often as you like, for example from cron; it can be killed at any time.
//   GALERI_KEY=… GALERI_URL=https://galeri.example php mirror.php vehicles.json
declare(strict_types=1);
require __DIR__ . '/../Galeri.php';

$file = $argv[1] ?? 'vehicles.json';
$galeri = new Galeri\Client((string) getenv('GALERI_KEY'), (string) getenv('GALERI_URL'));
$copies = is_file($file) ? json_decode(file_get_contents($file), true, 16, JSON_THROW_ON_ERROR) : [];

foreach ([false, true] as $deleted) {
    $since = newestChange($copies, $deleted);
    $read = 0;
    foreach ($galeri->each('vehicles', ['updated_since' => $since] + ($deleted ? ['deleted' => true] : [])) as $vehicle) {
        // A vehicle may come more than once, and may have been deleted or restored between the two walks: the newest state is kept.
        $known = $copies[$vehicle['id']] ?? null;
        if ($known === null || $known['updated_at'] <= $vehicle['updated_at']) $copies[$vehicle['id']] = $vehicle + ['deleted' => $deleted];
        if (++$read % 100 === 0) save($file, $copies);
    }
    save($file, $copies);
    echo "$read " . ($deleted ? 'deleted' : 'live') . " vehicles changed since $since\n";
}

/** Where to go on: changes come oldest first, so nothing older than the newest copy is missing. */
function newestChange(array $copies, bool $deleted): string
{
    $times = array_column(array_filter($copies, fn($copy) => $copy['deleted'] === $deleted), 'updated_at');
    return max(['2000-01-01T00:00:00Z', ...$times]);
}

/** Whole or not at all. In a database of your own, a vehicle is one row and saving it one statement. */
function save(string $file, array $copies): void
{
    file_put_contents("$file.new", json_encode((object) $copies, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE));
    rename("$file.new", $file);
}
