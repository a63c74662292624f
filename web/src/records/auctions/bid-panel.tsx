// Bidding: the next minimum with one click, or another amount. An amount far above the minimum must be confirmed.
import { type FormEvent, useEffect, useState } from 'react';
import { isFarAbove } from '../../../../src/domain/auctions/auction-states.ts';
import { parseMoney } from '../../../../src/kit/money.ts';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { amountOf } from '../../parts/form/form-amount.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { SandboxRule } from '../sandbox/sandbox-rule.tsx';
import { bidTexts } from './auction-texts.ts';

interface BidPanelProps {
  readonly currency: string;
  readonly nextMinimum: string;
  readonly step: string;
  readonly isLeading: boolean;
  readonly words: { readonly leading: string; readonly other: string; readonly binding: string };
  readonly send: (amount: string, headers: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly onDone: () => void;
  /** The endpoint by whose rule a simulated dealer answers the bid in the sandbox. */
  readonly answeredBy?: string;
}

/** A figure that has just changed is not pressed by a finger that was on its way to the one before. */
const SETTLE_MS = 500;

function useSettled(value: string): boolean {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled === value;
}

export function BidPanel({ currency, nextMinimum, step, isLeading, words, send, onDone, answeredBy }: BidPanelProps) {
  const t = useTexts(bidTexts);
  const p = useTexts(partsTexts);
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const isSettled = useSettled(nextMinimum);
  const write = useWrite({
    send: (amount: string, headers) => send(amount, headers),
    onDone: () => {
      setTyped('');
      onDone();
    },
  });
  const bid = (amount: string) => {
    const [minor, minimum, increment] = [parseMoney(amount), parseMoney(nextMinimum), parseMoney(step)];
    if (minor !== null && minimum !== null && increment !== null && isFarAbove(minor, minimum, increment)) setUnconfirmed(amount);
    else write.run(amount);
  };
  const problem = write.error && (write.error instanceof ApiError ? write.error.message : p.offline);
  return (
    <div className="flex flex-col gap-3">
      <Button
        look="primary"
        className="min-h-14! w-full text-20! font-semibold"
        busy={write.isPending}
        disabled={isLeading || !isSettled}
        onClick={() => bid(nextMinimum)}
      >
        {isLeading ? words.leading : `${t.bid}: ${format.money(nextMinimum, currency, true)}`}
      </Button>
      {!isLeading && (
        <OtherAmount
          currency={currency}
          nextMinimum={nextMinimum}
          words={words}
          typed={typed}
          onType={setTyped}
          isBusy={write.isPending}
          onBid={bid}
        />
      )}
      {answeredBy && <SandboxRule endpoint={answeredBy} field="amount" value={amountOf(typed) ?? nextMinimum} />}
      {problem && (
        <p role="alert" className="m-0 text-13 font-medium text-danger">
          {problem}
        </p>
      )}
      {unconfirmed !== null && (
        <ConfirmDialog
          open
          onClose={() => setUnconfirmed(null)}
          title={t.farTitle(format.money(unconfirmed, currency))}
          action={t.bid}
          run={() => write.runAndWait(unconfirmed)}
        >
          {t.farText(format.money(unconfirmed, currency), format.money(nextMinimum, currency))}
        </ConfirmDialog>
      )}
    </div>
  );
}

interface OtherAmountProps extends Pick<BidPanelProps, 'currency' | 'nextMinimum' | 'words'> {
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly isBusy: boolean;
  readonly onBid: (amount: string) => void;
}

/** Any amount above the next minimum. */
function OtherAmount({ currency, nextMinimum, words, typed, onType, isBusy, onBid }: OtherAmountProps) {
  const t = useTexts(bidTexts);
  const format = useFormat();
  const amount = amountOf(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (amount !== undefined) onBid(amount);
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Field label={words.other} hint={amount === undefined ? words.binding : format.money(amount, currency)}>
          <TextInput
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            onChange={onType}
            placeholder={format.money(nextMinimum, currency, true)}
          />
        </Field>
      </div>
      <Button type="submit" className="mb-5" disabled={amount === undefined} busy={isBusy}>
        {t.bid}
      </Button>
    </form>
  );
}
