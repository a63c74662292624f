<?php
// Keeps a copy of a dealer's vehicles, sales with their installments, or collections in a file. Run it as often as you like, for
// example from cron; it can be killed at any time.
//   GALERI_KEY=… GALERI_URL=https://galeri.example php mirror.php vehicles.json [vehicles|sales|collections]
declare(strict_types=1);
require __DIR__ . '/../Galeri.php';

$file = $argv[1] ?? 'vehicles.json';
$list = $argv[2] ?? 'vehicles';
// A change of an installment changes its sale.
$filter = $list === 'sales' ? ['include' => 'installments'] : [];
$galeri = new Galeri\Client((string) getenv('GALERI_KEY'), (string) getenv('GALERI_URL'));
$copies = is_file($file) ? json_decode(file_get_contents($file), true, 16, JSON_THROW_ON_ERROR) : [];

// Sales and collections are never deleted.
foreach ($list === 'vehicles' ? [false, true] : [false] as $deleted) {
    $since = newestChange($copies, $deleted);
    $read = 0;
    foreach ($galeri->each($list, ['updated_since' => $since] + $filter + ($deleted ? ['deleted' => true] : [])) as $record) {
        // A record may come more than once, and may have been deleted or restored between the two walks: the newest state is kept.
        $known = $copies[$record['id']] ?? null;
        if ($known === null || $known['updated_at'] <= $record['updated_at']) $copies[$record['id']] = $record + ['deleted' => $deleted];
        if (++$read % 100 === 0) save($file, $copies);
    }
    save($file, $copies);
    echo "$read " . ($deleted ? 'deleted' : 'live') . " $list changed since $since\n";
}

/** Where to go on: changes come oldest first, so nothing older than the newest copy is missing. */
function newestChange(array $copies, bool $deleted): string
{
    $times = array_column(array_filter($copies, fn($copy) => $copy['deleted'] === $deleted), 'updated_at');
    return max(['2000-01-01T00:00:00Z', ...$times]);
}

/** Whole or not at all. In a database of your own, a record is one row and saving it one statement. */
function save(string $file, array $copies): void
{
    file_put_contents("$file.new", json_encode((object) $copies, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE));
    rename("$file.new", $file);
}
