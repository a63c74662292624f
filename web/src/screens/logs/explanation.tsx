// Explains why a request was refused: the rule, the result of the same request today, and a link to what must be changed.
import { ArrowRight, CircleCheck, TriangleAlert } from 'lucide-react';
import { slugOf } from '../../../../src/domain/catalog/catalog.ts';
import type { Explanation } from '../../../../src/domain/usage/log-explain.ts';
import type { LogLine } from '../../../../src/domain/usage/log-lines.ts';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { useFormat } from '../../session.ts';
import { logsTexts } from './texts.ts';

type Rules = (typeof logsTexts)['tr']['rules'];
type Rule = keyof Rules;

const RULES: Readonly<Record<string, Rule>> = {
  insufficient_scope: 'policy',
  ip_not_allowed: 'addresses',
  key_expired: 'expiry',
  key_revoked: 'revoked',
  rate_limit_exceeded: 'limit',
  too_many_failed_attempts: 'limit',
  endpoint_not_active: 'release',
  special_authorization_required: 'authorization',
  sandbox_read_only: 'sandbox',
  account_suspended: 'suspended',
  not_found: 'path',
  method_not_allowed: 'method',
  internal_error: 'server',
  service_unavailable: 'server',
};

export const ruleOf = (code: string): Rule => RULES[code] ?? 'request';

/** The address of the field where the rule can be changed. */
function addressOf(rule: Rule, line: LogLine): string | null {
  const key = `/api-anahtarlari/${line.key_id}`;
  const slug = line.endpoint === null ? '' : slugOf(line.endpoint);
  const places: Readonly<Record<Rule, string | null>> = {
    policy: `${key}/kapsam?satir=${encodeURIComponent(line.endpoint ?? '')}`,
    addresses: `${key}/genel#allowed_ips`,
    expiry: `${key}/genel#expires_at`,
    revoked: '/api-anahtarlari/yeni',
    limit: `${key}/genel#limit_per_minute`,
    release: `/katalog/${slug}`,
    authorization: `${key}/genel`,
    sandbox: `${key}/genel`,
    suspended: null,
    path: '/katalog',
    method: '/katalog',
    request: slug === '' ? '/katalog' : `/katalog/${slug}`,
    server: null,
  };
  return places[rule];
}

export function ExplanationCard({ line, why }: { readonly line: LogLine; readonly why: Explanation }) {
  const t = useTexts(logsTexts);
  const format = useFormat();
  const rule = ruleOf(line.error_code!);
  const { title, text, fix } = t.rules[rule];
  const endpoint = line.endpoint ?? `${line.method} ${line.path}`;
  const words =
    rule === 'policy'
      ? t.rules.policy.text(endpoint, why.scope ?? '—')
      : rule === 'addresses'
        ? t.rules.addresses.text(line.ip ?? '—')
        : rule === 'limit'
          ? t.rules.limit.text(format.number(why.key.limit_per_minute))
          : rule === 'release'
            ? t.rules.release.text(endpoint)
            : (text as string);
  const address = addressOf(rule, line);
  return (
    <section aria-label={t.why} className="rounded-card border border-line bg-subtle p-4">
      <h3 className="m-0 flex items-start gap-2 text-14 font-semibold">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-write" />
        {title}
      </h3>
      <p className="mt-1.5 mb-0 text-13 wrap-anywhere text-text-2">{words}</p>
      <p className="mt-2 mb-0 flex items-start gap-2 text-13">
        {why.today === null && <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-live" />}
        <span>
          {t.today}: {why.today === null ? t.todayPasses : t.todayRefused(why.today)}.
        </span>
      </p>
      {fix !== null && address !== null && (
        <PanelLink to={address} className={`${buttonLook('primary')} mt-3`}>
          {fix}
          <ArrowRight aria-hidden className="size-4" />
        </PanelLink>
      )}
    </section>
  );
}
