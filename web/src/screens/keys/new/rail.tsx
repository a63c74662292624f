// "Bu anahtar ne yapabilir?": live counts of the selection, warnings, and a test of single requests with the API's own decision
// functions.
import { CircleCheck, Clock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Catalog } from '../../../../../src/domain/catalog/catalog.ts';
import { parseAddress } from '../../../../../src/domain/net/address.ts';
import { startOfDay } from '../../../../../src/kit/clock.ts';
import type { CatalogLine } from '../../../../../src/panel/developer/catalog.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { HttpStatusBadge, RiskBadge } from '../../../parts/badges.tsx';
import { Button } from '../../../parts/button.tsx';
import { cx } from '../../../parts/cx.ts';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { Field, Select, TextInput } from '../../../parts/input/field.tsx';
import { Drawer } from '../../../parts/overlay/dialog.tsx';
import { useFormat } from '../../../session.ts';
import { releaseOf } from '../../endpoint-picker/release.ts';
import { countsOf } from '../../endpoint-picker/selection.ts';
import { Warning } from '../key-parts.tsx';
import { type PreviewedKey, reasonOf, verdictOf } from '../preview.ts';
import { keysTexts } from '../texts.ts';

export interface RailProps {
  readonly catalog: Catalog<CatalogLine>;
  readonly previewed: PreviewedKey;
  readonly sandboxShared: boolean;
  readonly address: string;
}

/** The layout of a page with the rail. The scroll padding keeps focused elements above the bottom bar. */
export const WITH_RAIL =
  'grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_var(--rail)] [&_:is(input,textarea,select,button,li)]:scroll-mt-16 ' +
  '[&_:is(input,textarea,select,button,li)]:scroll-mb-16';

/** Beside the page on wide screens. */
export function Rail(props: RailProps) {
  const t = useTexts(keysTexts);
  return (
    <aside aria-label={t.rail} className="hidden h-full xl:block">
      <div className="card sticky top-[calc(var(--band)+72px)] max-h-[calc(100dvh-var(--band)-88px)] overflow-y-auto p-4">
        <h2 className="m-0 mb-3 text-14 font-semibold">{t.rail}</h2>
        <RailContent {...props} />
      </div>
    </aside>
  );
}

/** On narrow screens: a button with the counts that opens the rail over the page. */
export function RailButton(props: RailProps) {
  const t = useTexts(keysTexts);
  const [open, setOpen] = useState(false);
  const { live, soon } = countsOf(props.catalog.endpoints, props.previewed.endpoints);
  return (
    <>
      <Button onClick={() => setOpen(true)} className="xl:hidden">
        <span className="sr-only">
          {t.rail} {t.live}
        </span>
        <CircleCheck aria-hidden className="size-4 text-live" />
        <span className="tabular">{live}</span>
        <span className="sr-only">{t.soon}</span>
        <Clock aria-hidden className="size-4 text-text-3" />
        <span className="tabular">{soon}</span>
      </Button>
      <Drawer open={open} onClose={() => setOpen(false)} title={t.rail}>
        <RailContent {...props} />
      </Drawer>
    </>
  );
}

/** The next step. With `stays` it is sticky, because the list above it is long. */
export function BottomBar({ stays, children }: { readonly stays: boolean; readonly children: ReactNode }) {
  return (
    <div
      className={cx(
        'mt-4 flex flex-wrap items-center gap-2 border-t border-line py-2',
        stays && 'sticky bottom-0 z-20 -mx-4 bg-card px-4 sm:mx-0 sm:rounded-t-card sm:border-x',
      )}
    >
      {children}
    </div>
  );
}

function RailContent(props: RailProps) {
  const { catalog, previewed, sandboxShared } = props;
  const t = useTexts(keysTexts);
  const counts = countsOf(catalog.endpoints, previewed.endpoints);
  const writes =
    counts.all - catalog.endpoints.filter((endpoint) => endpoint.method === 'GET' && previewed.endpoints.has(endpoint.id)).length;
  return (
    <div className="flex flex-col gap-3">
      <div role="status" className="flex flex-col gap-2">
        <p className="tabular m-0 grid grid-cols-2 gap-2">
          <Count label={t.live} value={counts.live} strong />
          <Count label={t.soon} value={counts.soon} />
        </p>
        <p className="m-0 flex flex-wrap gap-1">
          {(['read', 'write', 'destructive', 'sensitive'] as const).map((risk) => (
            <RiskBadge key={risk} risk={risk} count={counts.risks[risk]} />
          ))}
        </p>
      </div>
      {counts.all === 0 && <p className="m-0 text-13 text-text-2">{t.nothingPicked}</p>}
      {counts.all > 0 && counts.live === 0 && <Warning>{t.noneWorks}</Warning>}
      {counts.risks.sensitive > 0 && <Warning tone="sens">{t.holdsSensitive(counts.risks.sensitive)}</Warning>}
      {counts.risks.destructive > 0 && <Warning tone="dest">{t.holdsDestructive(counts.risks.destructive)}</Warning>}
      {previewed.environment === 'sandbox' && sandboxShared && writes > 0 && <Warning>{t.sandboxWrites(writes)}</Warning>}
      <ProbeBox {...props} />
    </div>
  );
}

function Count({ label, value, strong = false }: { readonly label: string; readonly value: number; readonly strong?: boolean }) {
  return (
    <span className="rounded-control bg-subtle px-3 py-2">
      <span className="block text-12 text-text-2">{label}</span>
      <span className={strong ? 'text-24 font-semibold text-live' : 'text-24 font-semibold text-text-2'}>{value}</span>
    </span>
  );
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'].map((value) => ({ value, label: value }));

function ProbeBox({ catalog, previewed, sandboxShared, address }: RailProps) {
  const t = useTexts(keysTexts);
  const locale = useLocale();
  const { zone } = useFormat();
  const [method, setMethod] = useState('GET');
  const [path, setPath] = useState('vehicles');
  const [ip, setIp] = useState(address);
  const [time, setTime] = useState('');
  const [atLimit, setAtLimit] = useState(false);
  const badIp = ip.trim() !== '' && parseAddress(ip.trim()) === null;
  const now = time === '' ? Date.now() : instantIn(time, zone);
  const probe = { method, path, ip: ip.trim(), now, withinLimit: !atLimit };
  const verdict = verdictOf(catalog, releaseOf(catalog, sandboxShared), previewed, probe);
  return (
    <details className="border-t border-line pt-2" open>
      <summary className="rounded-control py-1 text-13 font-semibold">{t.probe}</summary>
      <p className="m-0 mb-2 text-12 text-text-2">{t.probeText}</p>
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-2">
        <Field label={t.method}>
          <Select value={method} options={METHODS} onChange={setMethod} />
        </Field>
        <Field label={t.path}>
          <TextInput value={path} onChange={setPath} className="code" autoComplete="off" spellCheck={false} />
        </Field>
        <div className="col-span-2">
          <Field label={t.ip} error={badIp ? t.badIp : undefined}>
            <TextInput value={ip} onChange={setIp} className="code" autoComplete="off" spellCheck={false} />
          </Field>
        </div>
        <div className="col-span-2">
          <Field label={`${t.time} (${zone})`} hint={t.timeHint}>
            <TextInput type="datetime-local" value={time} onChange={setTime} />
          </Field>
        </div>
      </div>
      <Checkbox className="mt-2 text-13" label={t.atLimit} checked={atLimit} onChange={setAtLimit} />
      <output className="mt-2 flex flex-col gap-1 rounded-control bg-subtle p-3 text-13" aria-label={t.verdict}>
        <span className="flex flex-wrap items-center gap-2">
          <HttpStatusBadge status={verdict.status} />
          {verdict.code && <span className="code text-12">{verdict.code}</span>}
        </span>
        <span>{verdict.refusal === null ? t.goesThrough : reasonOf(verdict.refusal, locale)}</span>
      </output>
    </details>
  );
}

/** The instant of a date and time input in the account's time zone. */
function instantIn(text: string, zone: string): number {
  const [day = '', clock = '00:00'] = text.split('T');
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return startOfDay(day, zone).getTime() + (hours * 60 + minutes) * 60_000;
}
