// The auctioneer's buttons: open the next lot, call the current bid once and twice, and the hammer.
import { Gavel, Megaphone, Play } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { Checkbox } from '../../parts/input/choices.tsx';
import { Field, TextArea } from '../../parts/input/field.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import type { Room } from './room-stream.ts';
import { roomTexts } from './texts.ts';

type Headers = Readonly<Record<string, string>>;

export interface Auctioneer {
  start(lotId: string, headers: Headers): Promise<unknown>;
  call(lotId: string, body: { readonly call: number; readonly bid_count: number }, headers: Headers): Promise<unknown>;
  end(lotId: string, body: { readonly award?: boolean; readonly note?: string }, headers: Headers): Promise<unknown>;
}

interface ConsoleProps {
  readonly room: Room;
  readonly acts: Auctioneer;
  /** Of the open lot, which only its seller and the auctioneer see. */
  readonly reservePrice: string | null;
  /** «Lot 3 2019 Renault Clio»: what comes next. */
  readonly next: string | null;
}

export function Console({ room, acts, reservePrice, next }: ConsoleProps) {
  const t = useTexts(roomTexts);
  const format = useFormat();
  const { lot, event } = room.message!;
  const isOpen = lot?.status === 'Açık';
  return (
    <section className="card flex flex-col gap-3 border-2 border-accent p-4" aria-label={t.console}>
      <h2 className="m-0 text-14 font-semibold">{t.console}</h2>
      {isOpen && reservePrice !== null && (
        <p className="m-0 text-13 text-text-2">{t.reserveIs(format.money(reservePrice, lot.currency, true))}</p>
      )}
      {isOpen ? (
        <OpenLot room={room} acts={acts} />
      ) : event.next_lot_id === null ? (
        <p className="m-0 text-text-2">{t.noMore}</p>
      ) : (
        <StartNext lotId={event.next_lot_id} acts={acts} next={next} />
      )}
    </section>
  );
}

const messageOf = (error: unknown, offline: string): string | null =>
  error ? (error instanceof ApiError ? error.message : offline) : null;

function StartNext({ lotId, acts, next }: { readonly lotId: string; readonly acts: Auctioneer; readonly next: string | null }) {
  const t = useTexts(roomTexts);
  const p = useTexts(partsTexts);
  const write = useWrite({ send: (id: string, headers) => acts.start(id, headers) });
  const problem = messageOf(write.error, p.offline);
  return (
    <>
      {next && <p className="m-0 text-14">{t.nextIs(next)}</p>}
      <Button look="primary" icon={Play} className="min-h-12!" busy={write.isPending} onClick={() => write.run(lotId)}>
        {t.start}
      </Button>
      {problem && (
        <p role="alert" className="m-0 text-13 font-medium text-danger">
          {problem}
        </p>
      )}
    </>
  );
}

function OpenLot({ room, acts }: Pick<ConsoleProps, 'room' | 'acts'>) {
  const t = useTexts(roomTexts);
  const p = useTexts(partsTexts);
  const [isStriking, setStriking] = useState(false);
  const lot = room.message!.lot!;
  const write = useWrite({
    send: (call: number, headers) => acts.call(lot.id, { call, bid_count: lot.bid_count }, headers),
  });
  const problem = messageOf(write.error, p.offline);
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <Button icon={Megaphone} className="min-h-12!" disabled={lot.call >= 1} onClick={() => write.run(1)}>
          {t.callOnce}
        </Button>
        <Button icon={Megaphone} className="min-h-12!" disabled={lot.call === 2} onClick={() => write.run(2)}>
          {t.callTwice}
        </Button>
      </div>
      <Button
        look={lot.reserve_met ? 'primary' : 'secondary'}
        icon={Gavel}
        className="min-h-14! text-16!"
        onClick={() => setStriking(true)}
      >
        {lot.reserve_met ? t.hammer : t.pass}
      </Button>
      {problem && (
        <p role="alert" className="m-0 text-13 font-medium text-danger">
          {problem}
        </p>
      )}
      {isStriking && <Strike room={room} acts={acts} onClose={() => setStriking(false)} />}
    </>
  );
}

/** The lot is sold at the bid shown when the dialog opens; a newer bid closes the dialog. */
function Strike({ room, acts, onClose }: Pick<ConsoleProps, 'room' | 'acts'> & { readonly onClose: () => void }) {
  const t = useTexts(roomTexts);
  const format = useFormat();
  const lot = room.message!.lot!;
  const [seen] = useState(lot.bid_count);
  const [award, setAward] = useState(false);
  const [note, setNote] = useState('');
  const write = useWrite({
    send: (_: undefined, headers) => acts.end(lot.id, { ...(award ? { award } : {}), ...(note.trim() ? { note } : {}) }, headers),
  });
  const isBelow = lot.bid_count > 0 && !lot.reserve_met;
  const amount = lot.current_bid && format.money(lot.current_bid, lot.currency, true);
  const isSold = lot.reserve_met || award;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={isSold ? t.hammerTitle(lot.lot_no, amount ?? '') : t.passTitle(lot.lot_no)}
      action={isSold ? t.hammer : t.pass}
      danger={false}
      ready={lot.bid_count === seen && (!award || note.trim() !== '')}
      run={() => write.runAndWait(undefined)}
    >
      <div className="flex flex-col gap-3">
        <p className="m-0">{lot.bid_count === seen ? (isSold ? t.hammerText : t.passText) : t.bidCame}</p>
        {isBelow && <Checkbox label={t.award} hint={t.awardHint} checked={award} onChange={setAward} />}
        {award && (
          <Field label={t.consent}>
            <TextArea rows={2} maxLength={500} value={note} onChange={setNote} />
          </Field>
        )}
      </div>
    </ConfirmDialog>
  );
}
