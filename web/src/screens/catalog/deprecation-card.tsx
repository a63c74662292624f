// What will be removed of an endpoint, what to use instead, and the keys that still call it.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { slugOf } from '../../../../src/domain/catalog/catalog.ts';
import type { Deprecation } from '../../../../src/kit/endpoint.ts';
import type { DeprecationView } from '../../../../src/panel/developer/deprecation.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { UsageUnread } from '../../parts/usage-unread.tsx';
import { KeyLinks } from './key-links.tsx';
import { catalogTexts } from './texts.ts';

export function DeprecationCard({ deprecation }: { readonly deprecation: DeprecationView }) {
  const t = useTexts(catalogTexts);
  const { endpoint, fields, keys, key_count } = deprecation;
  return (
    <section aria-labelledby="deprecation" className="card border-write p-4">
      <h2 id="deprecation" className="m-0 text-14 font-semibold text-write">
        {endpoint === null ? t.deprecatedFields : t.deprecation}
      </h2>
      {endpoint && <Days of={endpoint} successor={endpoint.successor && <EndpointLink id={endpoint.successor} />} />}
      {fields.length > 0 && (
        <ul className="mt-2 mb-0 flex list-none flex-col gap-2 p-0">
          {fields.map((field) => (
            <li key={field.path}>
              <code className="code text-13 wrap-anywhere">{field.path}</code>
              <Days of={field} successor={field.successor && <code className="code">{field.successor}</code>} />
            </li>
          ))}
        </ul>
      )}
      <h3 className="mt-3 mb-0 border-t border-line pt-3 text-14 font-semibold">
        {key_count === null ? <UsageUnread /> : t.usedBy(key_count)}
      </h3>
      <p className="mt-0 mb-2 text-12 text-text-2">{t.usedByHint}</p>
      {keys.length > 0 && <KeyLinks keys={keys} />}
    </section>
  );
}

/** Days without a zone. */
function Days({ of, successor }: { readonly of: Deprecation; readonly successor: ReactNode }) {
  const t = useTexts(catalogTexts);
  const locale = useLocale();
  const day = (text: string) => formatFor(locale, 'UTC').date(text);
  return (
    <p className="mt-1 mb-0 text-13 text-text-2">
      {t.worksUntil(day(of.since), day(of.sunset))}
      {successor && (
        <span className="block">
          {t.useInstead} {successor}
        </span>
      )}
    </p>
  );
}

const EndpointLink = ({ id }: { readonly id: string }) => (
  <Link to="/katalog/$endpointId" params={{ endpointId: slugOf(id) }} className="link code wrap-anywhere">
    {id}
  </Link>
);
