// One entry of the audit log: who, from where, and each value before and after.
import { History } from 'lucide-react';
import type { AuditAbout } from '../../../../src/domain/writes/audit-names.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useDeviceName } from '../../parts/device-name.ts';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { fieldTexts } from '../../records/field-texts.ts';
import { useFormat } from '../../session.ts';
import { OutcomeBadge, useRoleName } from './audit-parts.tsx';
import { type AuditEntry, actorOf, changedIn, sentenceOf } from './sentence.ts';
import { sentenceTexts } from './sentence-texts.ts';
import { auditTexts } from './texts.ts';
import { valueWords } from './value-words.ts';

interface AuditDrawerProps {
  readonly entry: AuditEntry | undefined;
  readonly onClose: () => void;
  /** Filters by the same target. */
  readonly onTarget: (target: string) => void;
}

export function AuditDrawer({ entry, onClose, onTarget }: AuditDrawerProps) {
  const t = useTexts(auditTexts);
  const locale = useLocale();
  const format = useFormat();
  return (
    <Drawer
      open={entry !== undefined}
      onClose={onClose}
      title={entry ? sentenceOf(entry, locale, format) : t.detail}
      description={entry && <DateTime at={entry.created_at} />}
    >
      {entry && <Entry entry={entry} onTarget={onTarget} />}
    </Drawer>
  );
}

function Entry({ entry, onTarget }: { readonly entry: AuditEntry; readonly onTarget: (target: string) => void }) {
  const t = useTexts(auditTexts);
  const roleName = useRoleName();
  const deviceName = useDeviceName();
  const locale = useLocale();
  const { actor_type, role, ip, user_agent, target, outcome } = entry;
  return (
    <div className="flex flex-col gap-4 pb-4">
      <Facts
        title={t.detail}
        facts={[
          { name: t.outcome, value: <OutcomeBadge outcome={outcome} /> },
          { name: t.who, value: actorOf(entry, locale) },
          { name: t.record, value: entry.about && <AboutLink about={entry.about} /> },
          { name: t.role, value: roleName(role) },
          { name: t.through, value: t.actorTypes[actor_type] },
          { name: t.address, value: ip === null ? null : <span className="code">{ip}</span> },
          { name: t.userAgent, value: user_agent === null ? null : <span title={user_agent}>{deviceName(user_agent)}</span> },
        ]}
      >
        <Button look="quiet" icon={History} className="-mx-3 mt-2" onClick={() => onTarget(target)}>
          {t.sameRecord}
        </Button>
      </Facts>
      <Changes before={entry.before ?? {}} after={entry.after ?? {}} names={entry.names} />
      <Raw entry={entry} />
    </div>
  );
}

/** The stored entry, for comparison with a program's own log. */
function Raw({ entry: { action, target, actor, request_id, after, via } }: { readonly entry: AuditEntry }) {
  const t = useTexts(auditTexts);
  const s = useTexts(sentenceTexts);
  return (
    <details>
      <summary className="cursor-pointer py-2 text-13 font-medium text-text-2">{s.raw}</summary>
      <Facts
        title={s.raw}
        facts={[
          { name: t.action, value: <span className="code">{action}</span> },
          { name: t.target, value: <Copied text={target} /> },
          ...(after?.event === undefined ? [] : [{ name: t.event, value: <span className="code">{String(after.event)}</span> }]),
          { name: t.who, value: <span className="code">{actor}</span> },
          ...(via
            ? [{ name: t.via, value: <span className="code">{Object.values(via).filter(Boolean).join(' · ')}</span> }]
            : []),
          { name: t.requestId, value: request_id === null ? null : <Copied text={request_id} /> },
        ]}
      />
    </details>
  );
}

const PLACES: Readonly<Record<AuditAbout['kind'], string | null>> = {
  vehicle: '/araclar/',
  customer: '/musteriler/',
  sale: '/satislar/',
  key: '/api-anahtarlari/',
  account: '/yonetim/hesaplar/',
  member: null,
  other: null,
};

function AboutLink({ about: { kind, id, name } }: { readonly about: AuditAbout }) {
  const place = PLACES[kind];
  return place === null ? (
    name
  ) : (
    <PanelLink to={`${place}${id}`} className="link">
      {name}
    </PanelLink>
  );
}

const Copied = ({ text }: { readonly text: string }) => (
  <span className="flex items-center gap-1">
    <span className="code wrap-anywhere">{text}</span>
    <CopyButton text={text} />
  </span>
);

interface ChangesProps {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** What the ids among the values are called. */
  readonly names: Readonly<Record<string, string>>;
}

function Changes({ before, after, names }: ChangesProps) {
  const t = useTexts(auditTexts);
  const fieldNames: Readonly<Record<string, string>> = useTexts(fieldTexts);
  const fields = changedIn(before, after);
  if (fields.length === 0) return <p className="m-0 text-text-2">{t.nothing}</p>;
  return (
    <section className="card overflow-x-auto" aria-label={t.changes}>
      <table className="w-full border-separate border-spacing-0 text-13">
        <thead>
          <tr className="text-12 text-text-2">
            {[t.field, t.before, t.after].map((head) => (
              <th key={head} scope="col" className="h-8 bg-subtle px-3 text-start font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row" title={field} className="border-t border-line px-3 py-2 text-start align-top font-normal">
                {fieldNames[field] ?? <span className="code">{field}</span>}
              </th>
              <td className="border-t border-line px-3 py-2 align-top wrap-anywhere text-text-2">
                <Value value={before[field]} names={names} />
              </td>
              <td className="border-t border-line px-3 py-2 align-top wrap-anywhere">
                <Value value={after[field]} names={names} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

function Value({ value, names }: { readonly value: unknown; readonly names: Readonly<Record<string, string>> }) {
  const t = useTexts(auditTexts);
  const format = useFormat();
  if (value === undefined || value === null || value === '') return <None />;
  if (Array.isArray(value) && value.length === 0) return <None />;
  const stored = Array.isArray(value) ? value.map(plain).join(', ') : plain(value);
  const shown = valueWords(value, format) ?? stored.replace(ID, (id) => names[id] ?? t.aRecord);
  if (shown !== stored) return <span title={stored}>{shown}</span>;
  // Endpoints, addresses and what has parts of its own are read letter by letter.
  return <span className={/[/_{.]/.test(stored) ? 'code' : 'tabular'}>{stored}</span>;
}

const plain = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
