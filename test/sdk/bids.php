<?php
// Checks a log of bids given as JSON on stdin: {id, bids, chainHead}.
require __DIR__ . '/../../sdk/php/Galeri.php';

$given = json_decode(stream_get_contents(STDIN), true, 16, JSON_THROW_ON_ERROR);
echo json_encode(Galeri\BidChain::firstBroken($given['id'], $given['bids'], $given['chainHead'] ?? null));
