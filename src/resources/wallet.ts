// The dealer's prepaid balance with the platform, never customers' money. A top-up is approved by a platform administrator.
import { createBody } from '../domain/records/body.ts';
import { askForTopup, readTopup, TOPUP_FIELDS, TopupRequest } from '../domain/wallet/topup.ts';
import {
  listTransactions,
  readTransaction,
  readWallet,
  TransactionFilters,
  Wallet,
  WalletTransaction,
} from '../domain/wallet/wallet-view.ts';
import { get, post, resource } from '../kit/endpoint.ts';

export const wallet = resource('Wallet', 'Cüzdan', [
  get('wallet', 'wallet:read', 'read', 'Yakında', ['Read the wallet balance', 'Cüzdan bakiyesini getir'], {
    about: [
      'Returns the prepaid balance, and the amount of top-up requests that wait for approval.',
      'Şu anki ön ödemeli bakiye ve onay bekleyen yüklemelerin toplamı.',
    ],
    returns: Wallet,
    fresh: true,
    run: ({ db }) => readWallet(db),
  }),
  get('wallet/transactions', 'wallet:read', 'read', 'Yakında', ['List wallet transactions', 'Cüzdan hareketlerini listele'], {
    about: [
      'Returns all transactions with the balance after each, newest first. Credits are positive, debits negative.',
      'Bütün hareketler ve sonrasındaki bakiye, en yeniden eskiye. Giren artı, çıkan eksi.',
    ],
    query: TransactionFilters,
    lists: WalletTransaction,
    fresh: true,
    run: ({ db, query, account, page }) => listTransactions(db, query, account.timezone, page),
  }),
  get(
    'wallet/transactions/{transaction_id}',
    'wallet:read',
    'read',
    'Yakında',
    ['Read a wallet transaction', 'Cüzdan hareketini getir'],
    {
      about: [
        'Returns a transaction. Transactions never change; a refund names the transaction it reverses.',
        'Bir hareket; hiç değişmez, iade neyi geri aldığını söyler.',
      ],
      returns: WalletTransaction,
      fresh: true,
      run: ({ db, params }) => readTransaction(db, params.transaction_id),
    },
  ),
  post('wallet/topup-requests', 'wallet:write', 'sensitive', 'Yakında', ['Request a top-up', 'Bakiye yükleme talebi aç'], {
    about: [
      'Requests a top-up for money that you paid. The balance changes after an administrator approves it. At most five requests can be pending.',
      'Ödenen paranın cüzdana yüklenmesini ister. Bakiye, yönetici onaylayınca değişir; aynı anda en çok beş talep bekler.',
    ],
    refuses: ['currency_mismatch', 'too_many_pending'],
    emits: ['wallet_topup.requested'],
    bodySchema: createBody(TOPUP_FIELDS),
    returns: TopupRequest,
    successStatus: 201,
    idempotency: 'required',
    run: ({ work, body }) => askForTopup(work, body),
  }),
  get(
    'wallet/topup-requests/{request_id}',
    'wallet:read',
    'read',
    'Yakında',
    ['Read a top-up request', 'Bakiye yükleme talebini getir'],
    {
      about: ['Returns a top-up request and its result.', 'Bir talep ve sonucu.'],
      returns: TopupRequest,
      fresh: true,
      run: ({ db, params }) => readTopup(db, params.request_id),
    },
  ),
]);
