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
      'The prepaid balance now, and how much is asked for and waits for approval.',
      'Şu anki ön ödemeli bakiye ve onay bekleyen yüklemelerin toplamı.',
    ],
    returns: Wallet,
    fresh: true,
    run: ({ db }) => readWallet(db),
  }),
  get('wallet/transactions', 'wallet:read', 'read', 'Yakında', ['List wallet transactions', 'Cüzdan hareketlerini listele'], {
    about: [
      'Every movement with the balance after it, newest first. Money in is above zero, money out below.',
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
        'One movement; it never changes, and a refund names what it reverses.',
        'Bir hareket; hiç değişmez, iade neyi geri aldığını söyler.',
      ],
      returns: WalletTransaction,
      fresh: true,
      run: ({ db, params }) => readTransaction(db, params.transaction_id),
    },
  ),
  post('wallet/topup-requests', 'wallet:write', 'sensitive', 'Yakında', ['Request a top-up', 'Bakiye yükleme talebi aç'], {
    about: [
      'Asks the platform to load money that was paid. The balance changes when an administrator approves it; at most five wait at a time.',
      'Ödenen paranın cüzdana yüklenmesini ister. Bakiye, yönetici onaylayınca değişir; aynı anda en çok beş talep bekler.',
    ],
    refuses: ['currency_mismatch', 'too_many_pending'],
    emits: ['wallet_topup.requested'],
    takes: createBody(TOPUP_FIELDS),
    returns: TopupRequest,
    answers: 201,
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
      about: ['One request and what became of it.', 'Bir talep ve sonucu.'],
      returns: TopupRequest,
      fresh: true,
      run: ({ db, params }) => readTopup(db, params.request_id),
    },
  ),
]);
