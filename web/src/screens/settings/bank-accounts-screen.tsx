// The dealer's bank accounts, which customers' pages show.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { DealerBankAccount } from '../../../../src/domain/accounts/bank-accounts.ts';
import { call } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { ChoiceField, type FieldsOf, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { groupedIban } from '../../records/wallet-words.tsx';
import { useSession } from '../../session.ts';
import { bankAccountsTexts } from './bank-accounts-texts.ts';
import { SettingsFrame } from './frame.tsx';

const KEY = ['settings', 'bank-accounts'];

export function BankAccountsScreen() {
  const t = useTexts(bankAccountsTexts);
  const { look } = useSession();
  const accounts = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call('GET settings/bank-accounts', { signal }) });
  const [adds, setAdds] = useState(false);
  const [removing, setRemoving] = useState<DealerBankAccount | null>(null);
  const actions = !look && (
    <Button look="primary" icon={Plus} onClick={() => setAdds(true)}>
      {t.add}
    </Button>
  );
  return (
    <SettingsFrame title={t.title} description={t.description} actions={actions}>
      <section aria-label={t.title} className="card p-4">
        <Loaded query={accounts} rows={2}>
          {(list) =>
            list.length === 0 ? (
              <p className="m-0 text-13 text-text-2">{t.none}</p>
            ) : (
              <ul className="m-0 list-none divide-y divide-line p-0">
                {list.map((account) => (
                  <li key={account.id} className="flex items-center gap-3 py-2">
                    <span className="min-w-0 flex-1">
                      <span className="block text-13 font-medium wrap-anywhere">
                        {account.bank} · {account.currency} · {account.holder}
                      </span>
                      <span className="code block wrap-anywhere">{groupedIban(account.iban)}</span>
                    </span>
                    {!look && <IconButton label={t.remove(account.bank)} icon={Trash2} onClick={() => setRemoving(account)} />}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      {adds && <AddAccount onClose={() => setAdds(false)} />}
      {removing && <RemoveAccount account={removing} onClose={() => setRemoving(null)} />}
    </SettingsFrame>
  );
}

function AddAccount({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(bankAccountsTexts);
  const client = useQueryClient();
  const currencies = useCurrencies();
  const form = useForm({ bank: '', holder: '', iban: '', currency: currencies[0]!.value });
  const write = useWrite({
    send: (typed: RawBody<'POST settings/bank-accounts'>, headers) =>
      call('POST settings/bank-accounts', { rawBody: typed, headers }),
    onDone: () => {
      notify({ title: t.added });
      onClose();
      return client.invalidateQueries({ queryKey: KEY });
    },
  });
  const names = { bank: t.bank, holder: t.holder, iban: 'IBAN', currency: t.currency };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(form.values)}
      onClose={onClose}
      title={t.add}
      description={t.addText}
      action={t.add}
    >
      <TextField of={of} name="bank" maxLength={80} autoFocus />
      <TextField of={of} name="holder" maxLength={120} />
      <TextField of={of} name="iban" maxLength={42} />
      <ChoiceField of={of} name="currency" options={currencies} />
    </FormLayer>
  );
}

function RemoveAccount({ account, onClose }: { readonly account: DealerBankAccount; readonly onClose: () => void }) {
  const t = useTexts(bankAccountsTexts);
  const client = useQueryClient();
  const run = async () => {
    await call('DELETE settings/bank-accounts/{bank_account_id}', { params: { bank_account_id: account.id } });
    notify({ title: t.removed });
    await client.invalidateQueries({ queryKey: KEY });
  };
  return (
    <ConfirmDialog open onClose={onClose} title={t.remove(account.bank)} action={t.removeAction} run={run}>
      <p className="m-0">{t.removeText}</p>
    </ConfirmDialog>
  );
}
