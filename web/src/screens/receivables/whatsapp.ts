// A WhatsApp message with its text filled in. A person opens and sends it; that they did is noted in the customer's activity.
import type { BoardCard } from '../../../../src/domain/sales/board.ts';
import { call } from '../../api.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { notify } from '../../parts/toast.tsx';
import { useSalesChanged } from '../../records/sales.ts';
import { useFormat, useSession } from '../../session.ts';
import { receivablesTexts } from './texts.ts';

export function useWhatsApp(card: BoardCard, isPromise: boolean): { readonly link: string; readonly note: () => void } {
  const t = useTexts(receivablesTexts);
  const locale = useLocale();
  const format = useFormat();
  const { account } = useSession();
  const changed = useSalesChanged();
  const { customer, vehicle, due_date } = card;
  const amount = format.money(card.amount, card.currency);
  const text =
    isPromise || due_date === null
      ? t.messagePromise(customer.name, vehicle.plate, amount)
      : t.message(customer.name, vehicle.plate, formatFor(locale, 'UTC').date(due_date), amount);
  const note = () => {
    const staff = account?.member_id ? { staff_id: account.member_id } : {};
    call('POST v1/customers/{customer_id}/activity', {
      params: { customer_id: customer.id },
      typed: { kind: 'WhatsApp', note: text, ...staff },
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    })
      .then(() => {
        notify({ title: t.whatsappLogged });
        return changed();
      })
      // The message was opened all the same; the card keeps saying when the last contact was.
      .catch(() => {});
  };
  return { link: `https://wa.me/${customer.phone.replace(/\D/g, '')}?text=${encodeURIComponent(text)}`, note };
}
