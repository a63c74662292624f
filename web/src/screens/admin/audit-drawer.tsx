import { Link } from '@tanstack/react-router';
import type { AdminAuditLine } from '../../../../src/panel/admin-audit.ts';
import { useTexts } from '../../language.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Drawer } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { OutcomeBadge } from './audit.tsx';
import { adminTexts } from './texts.ts';

/** One entry: who, from where, and each field before and after. */
export function AuditDrawer({ entry, onClose }: { readonly entry: AdminAuditLine | null; readonly onClose: () => void }) {
  const t = useTexts(adminTexts);
  return (
    <Drawer open={entry !== null} onClose={onClose} title={entry?.action ?? t.entry}>
      {entry && (
        <div className="flex flex-col gap-4 pb-4">
          <EntryFacts entry={entry} />
          <Difference before={entry.before} after={entry.after} />
        </div>
      )}
    </Drawer>
  );
}

function EntryFacts({ entry }: { readonly entry: AdminAuditLine }) {
  const t = useTexts(adminTexts);
  const who = [entry.actor, t.actorTypes[entry.actor_type], entry.role].filter(Boolean).join(' · ');
  return (
    <Facts
      title={t.entry}
      facts={[
        { name: t.when, value: <DateTime at={entry.created_at} /> },
        { name: t.who, value: who },
        { name: t.outcome, value: <OutcomeBadge outcome={entry.outcome} /> },
        { name: t.target, value: <Code text={entry.target} /> },
        {
          name: t.account,
          value: entry.account_id && (
            <Link to="/yonetim/hesaplar/$accountId" params={{ accountId: entry.account_id }} className="link">
              {entry.account}
            </Link>
          ),
        },
        { name: t.from_ip, value: entry.ip && <span className="code">{entry.ip}</span> },
        { name: t.agent, value: entry.user_agent && <span className="text-12">{entry.user_agent}</span> },
        { name: t.requestId, value: entry.request_id && <Code text={entry.request_id} /> },
      ]}
    >
      <p className="mt-3 mb-0">
        <Link to="/yonetim/denetim" search={{ target: entry.target }} className="link">
          {t.target}: {t.auditTitle}
        </Link>
      </p>
    </Facts>
  );
}

const Code = ({ text }: { readonly text: string }) => (
  <span className="flex items-center gap-1">
    <span className="code text-12 wrap-anywhere">{text}</span>
    <CopyButton text={text} />
  </span>
);

type Values = Readonly<Record<string, unknown>> | null;

function Difference({ before, after }: { readonly before: Values; readonly after: Values }) {
  const t = useTexts(adminTexts);
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (fields.length === 0) return <p className="m-0 text-13 text-text-2">{t.noDiff}</p>;
  return (
    <section
      aria-label={`${t.before} / ${t.after}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
      tabIndex={0}
      className="card overflow-x-auto"
    >
      <table className="w-full border-collapse text-13">
        <thead>
          <tr className="bg-subtle text-12 text-text-2">
            {[t.field, t.before, t.after].map((head) => (
              <th key={head} scope="col" className="border-b border-line px-3 py-1.5 text-start font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field} className="align-top">
              <th scope="row" className="code px-3 py-1.5 text-start text-12 font-normal">
                {field}
              </th>
              <td className="px-3 py-1.5 text-dest wrap-anywhere">
                <Value value={before?.[field]} />
              </td>
              <td className="px-3 py-1.5 text-live wrap-anywhere">
                <Value value={after?.[field]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null || value === '') return <None />;
  return <span className="code text-12">{typeof value === 'object' ? JSON.stringify(value) : String(value)}</span>;
}
