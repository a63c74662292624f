<?php
// Reads all bids of a lot and checks their chain; prints how many there are and the first broken one.
require __DIR__ . '/../../sdk/php/Galeri.php';

$log = Galeri\BidChain::ofLot(new Galeri\Client(getenv('GALERI_KEY'), getenv('GALERI_URL')), getenv('LOT_ID'));
echo json_encode([count($log['bids']), Galeri\BidChain::firstBroken(...$log)]);
