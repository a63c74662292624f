<?php
// Story SB1 as an integrator's script with the PHP client; prints what was seen as one JSON value, as sandbox-story.ts returns it.
require __DIR__ . '/../../sdk/php/Galeri.php';

use Galeri\Client;

$galeri = new Client(getenv('GALERI_KEY'), getenv('GALERI_URL'));
['receiver' => $receiver, 'car' => $car, 'person' => $person] = json_decode(stream_get_contents(STDIN), true);
$cents = fn(string $amount): int => (int) str_replace('.', '', $amount);
$dayAfter = fn(int $days, string $now): string => (new DateTimeImmutable($now))->add(new DateInterval("P{$days}D"))->format('Y-m-d');

$world = $galeri->sandbox->reset('empty', keepWebhooks: false);
$webhook = $galeri->post('webhooks', ['url' => $receiver, 'events' => ['*']]);
$sale = $galeri->post('sales', [
    'vehicle_id' => $galeri->post('vehicles', $car)['id'],
    'customer_id' => $galeri->post('customers', $person)['id'],
    'currency' => 'STG',
    'sale_price' => '2400.00',
    'finance_charge' => '240.00',
    'late_rate_yearly' => '24.00',
    'installment_count' => 24,
    'first_due_date' => $dayAfter(5, $world['clock']['now']),
]);
$pay = fn(string $amount, array $given = []) => $galeri->post('collections', ['sale_id' => $sale['id'], 'amount' => $amount, 'currency' => 'STG'] + $given);
for ($number = 0; $number < 3; $number++) $pay('110.00');

$moved = $galeri->sandbox->advance('731d');
$now = $galeri->sandbox->clock()['now'];
$overdue = $galeri->get('installments/overdue', ['limit' => 100]);

$restructure = ['from' => $dayAfter(10, $now), 'installment_count' => 6, 'reason' => 'işini değiştirdi'];
$galeri->patch("sales/{$sale['id']}", ['restructure' => $restructure]);
$plan = $galeri->get("sales/{$sale['id']}/installment-plan");
['outstanding' => $outstanding, 'unearned_finance_charge' => $unearned] = $galeri->get("sales/{$sale['id']}")['payoff'];
$due = $cents($outstanding) - $cents($unearned);
$discount = $cents($unearned) > 0 ? ['discount_amount' => $unearned, 'discount_reason' => 'Erken Ödeme'] : [];
$pay(sprintf('%d.%02d', intdiv($due, 100), $due % 100), $discount);
$settled = $galeri->get("sales/{$sale['id']}");

echo json_encode([
    'secret' => $webhook['secret'],
    'world' => $world['id'],
    'moved' => ['days' => (int) round((strtotime($moved['to']) - strtotime($moved['from'])) / 86400), 'events' => $moved['events']],
    'overdue' => array_map(fn($one) => [$one['remaining_amount'], $one['days_overdue'], $one['late_interest']], $overdue),
    'restructured' => array_column(array_filter($plan['installments'], fn($one) => $one['status'] === 'Bekliyor'), 'amount'),
    'settled' => ['status' => $settled['status'], 'outstanding' => $settled['outstanding_amount'], 'payoff' => $settled['payoff']],
    'messages' => count($galeri->sandbox->messages(['limit' => 100])),
    'rules' => count($galeri->sandbox->rules()),
], JSON_THROW_ON_ERROR);
