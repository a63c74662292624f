// The platform's bank accounts, which dealers see when they top up.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { BankAccount, BankAccountLine } from '../../../../../src/domain/wallet/bank-accounts.ts';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useTexts } from '../../../language.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { FormLayer } from '../../../parts/form/form.tsx';
import { type FieldsOf, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { groupedIban } from '../../../records/wallet-words.tsx';
import { moneyTexts } from '../money-texts.ts';

const KEY = ['admin', 'bank-accounts'];

export function BankAccounts() {
  const t = useTexts(moneyTexts).bank;
  const accounts = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call('GET admin/bank-accounts', { signal }) });
  const [adds, setAdds] = useState(false);
  const [removing, setRemoving] = useState<BankAccount | null>(null);
  return (
    <section aria-label={t.title} className="card mb-4 p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="m-0 text-14 font-semibold">{t.title}</h2>
        <Button icon={Plus} onClick={() => setAdds(true)}>
          {t.add}
        </Button>
      </div>
      <Loaded query={accounts} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <p className="m-0 text-13 text-text-2">{t.none}</p>
          ) : (
            <ul className="m-0 list-none divide-y divide-line p-0">
              {list.map((account) => (
                <li key={account.id} className="flex items-center gap-3 py-2">
                  <span className="min-w-0 flex-1">
                    <span className="block text-13 font-medium">
                      {account.bank} · {account.holder}
                    </span>
                    <span className="code block wrap-anywhere">{groupedIban(account.iban)}</span>
                    {!account.is_confirmed && <span className="block text-12 text-text-2">{t.waits(account.added_by_name)}</span>}
                  </span>
                  {account.may_confirm && <ConfirmAccount account={account} />}
                  <IconButton label={t.remove(account.bank)} icon={Trash2} onClick={() => setRemoving(account)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {adds && <AddAccount onClose={() => setAdds(false)} />}
      {removing && <RemoveAccount account={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

/** The second administrator. */
function ConfirmAccount({ account }: { readonly account: BankAccountLine }) {
  const t = useTexts(moneyTexts).bank;
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: () =>
      call('POST admin/bank-accounts/{bank_account_id}/confirm', { params: { bank_account_id: account.id }, body: {} }),
    onSuccess: () => notify({ title: t.confirmed, text: account.bank }),
    // Also after a failure, because another administrator may have removed it.
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
      {t.confirm}
    </Button>
  );
}

function AddAccount({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(moneyTexts).bank;
  const client = useQueryClient();
  const form = useForm({ bank: '', holder: '', iban: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST admin/bank-accounts'>, headers) => call('POST admin/bank-accounts', { rawBody: typed, headers }),
    onDone: () => {
      notify({ title: t.added });
      onClose();
      return client.invalidateQueries({ queryKey: KEY });
    },
  });
  const names = { bank: t.bank, holder: t.holder, iban: 'IBAN' };
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
    </FormLayer>
  );
}

function RemoveAccount({ account, onClose }: { readonly account: BankAccount; readonly onClose: () => void }) {
  const t = useTexts(moneyTexts).bank;
  const client = useQueryClient();
  const write = useWrite({
    send: (_: undefined, headers) =>
      call('DELETE admin/bank-accounts/{bank_account_id}', { params: { bank_account_id: account.id }, headers }),
    onDone: () => {
      notify({ title: t.removed });
      return client.invalidateQueries({ queryKey: KEY });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t.remove(account.bank)}
      action={t.removeAction}
      run={() => write.runAndWait(undefined)}
    >
      <p className="m-0">{t.removeText}</p>
    </ConfirmDialog>
  );
}
