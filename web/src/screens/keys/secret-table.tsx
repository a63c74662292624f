// The secrets of a key: which are valid, until when, and who used them last.
import type { SecretLine } from '../../../../src/panel/keys/key-views.ts';
import { useTexts } from '../../language.ts';
import { UsageUnread } from '../../parts/usage-unread.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { keysTexts } from './texts.ts';

export function SecretTable({ secrets }: { readonly secrets: readonly SecretLine[] }) {
  const t = useTexts(keysTexts);
  const format = useFormat();
  return (
    <ul className="m-0 list-none divide-y divide-line p-0 text-13">
      {secrets.map((secret, index) => (
        <li key={secret.id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2 first:pt-0">
          <span className="min-w-0">
            <span className="code">
              {secret.prefix}…{secret.last_four}
            </span>
            <span className={`ml-2 text-12 ${secret.works ? 'font-medium text-live' : 'text-text-3'}`}>
              {!secret.works ? t.secretEnded : index === 0 ? t.secretPresent : ''}
            </span>
            {index > 0 && secret.works && secret.expires_at && (
              <span className="text-12 text-write">
                {t.secretUntil}: <DateTime at={secret.expires_at} />
              </span>
            )}
          </span>
          <span className="text-12 text-text-2">
            {secret.calls === null ? (
              <UsageUnread />
            ) : (
              <>
                {t.secretCalls}: <span className="tabular">{format.number(secret.calls)}</span> · {t.lastUse}:{' '}
                {secret.last_used_at === null ? t.never : <DateTime at={secret.last_used_at} show="relative" />}
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
