// Where to transfer the money: the platform's accounts and a code for the description, by which the transfer is found.
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { groupedIban } from '../../records/wallet-words.tsx';
import { walletTexts } from './texts.ts';

const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Eight letters and digits that are not mistaken for each other. */
export const newTransferCode = (): string =>
  `CZ-${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;

export function BankAccounts({ code }: { readonly code: string }) {
  const t = useTexts(walletTexts);
  const accounts = useQuery({
    queryKey: ['wallet', 'bank-accounts'],
    queryFn: ({ signal }) => call('GET wallet/bank-accounts', { signal }),
  });
  return (
    <section aria-label={t.transferTo} className="rounded-control bg-subtle p-3 text-13">
      <Loaded query={accounts} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <p className="m-0 text-text-2">{t.noBankAccount}</p>
          ) : (
            <>
              <h3 className="m-0 mb-1 text-13 font-semibold">{t.transferTo}</h3>
              <ul className="m-0 list-none divide-y divide-line p-0">
                {list.map(({ id, bank, holder, iban }) => (
                  <li key={id} className="flex flex-wrap items-center gap-x-3 py-1.5">
                    <span className="min-w-0 flex-1">
                      <span className="block text-text-2">
                        {bank} · {holder}
                      </span>
                      <span className="code block wrap-anywhere">{groupedIban(iban)}</span>
                    </span>
                    <CopyButton text={iban} />
                  </li>
                ))}
              </ul>
              <p className="mt-2 mb-0 flex flex-wrap items-center gap-x-2">
                {t.transferCode} <strong className="code">{code}</strong>
                <CopyButton text={code} />
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
