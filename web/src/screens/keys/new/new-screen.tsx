// K2 and K3: a new key in three steps, then its secret, shown once.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react';
import { TEMPLATES, type Template } from '../../../../../src/domain/keys/key-policy.ts';
import type { CatalogView } from '../../../../../src/panel/developer/catalog.ts';
import type { SecretOnce as Made } from '../../../../../src/panel/keys/key-writes.ts';
import type { KeySetup } from '../../../../../src/panel/keys/keys.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { BackLink } from '../../../parts/page/record.tsx';
import { ErrorState, SkeletonRows } from '../../../parts/page/states.tsx';
import { useSecret } from '../../../parts/secret-once.tsx';
import { useFormat, useSession } from '../../../session.ts';
import { useCatalog, useDecidingCatalog } from '../../endpoint-picker/catalog-data.ts';
import { templateIds } from '../../endpoint-picker/templates.tsx';
import { useKeySetup, useRefreshKeys } from '../key-data.ts';
import { Warning } from '../key-parts.tsx';
import { keysTexts } from '../texts.ts';
import { expiryOf, type KeyDraft, linesOf, useDraft } from './draft.ts';
import { draftProblems, type Problems, problemsOf } from './draft-problems.ts';
import { BottomBar, Rail, RailButton, type RailProps, WITH_RAIL } from './rail.tsx';
import { ScopeStep } from './scope-step.tsx';
import { STEPS, type Step, Steps } from './steps.tsx';

// Fetched when they are opened, so that the first step appears sooner.
const LimitsStep = lazy(() => import('./limits-step.tsx').then((step) => ({ default: step.LimitsStep })));
const ReviewStep = lazy(() => import('./review-step.tsx').then((step) => ({ default: step.ReviewStep })));

const route = getRouteApi('/shell/api-anahtarlari/yeni');

export function NewKeyScreen() {
  const t = useTexts(keysTexts);
  const { view, error, retry } = useCatalog();
  const setup = useKeySetup();
  const [made, setMade] = useSecret<Made & { readonly path: string }>();
  const above = <BackLink to="/api-anahtarlari">{t.backToList}</BackLink>;
  if (made !== null) return <MadeKey made={made} />;
  return (
    <>
      <PageHeader title={t.newTitle} description={t.newText} above={above} />
      {view !== null && setup !== null ? (
        <NewKeyForm catalog={view} setup={setup} onMade={setMade} />
      ) : error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <SkeletonRows rows={12} />
      )}
    </>
  );
}

function MadeKey({ made }: { readonly made: Made & { readonly path: string } }) {
  const t = useTexts(keysTexts);
  const navigate = useNavigate();
  // Replaces the history entry, so that Back leads to the list and not to the form.
  const done = () => navigate({ to: '/api-anahtarlari/$keyId/genel', params: { keyId: made.id }, replace: true });
  return (
    <>
      <PageHeader title={t.secretTitle} description={made.name} />
      {made.requested > 0 && (
        <div className="mb-4">
          <Warning>{t.endpointsAsked(made.requested)}</Warning>
        </div>
      )}
      <Suspense>
        <KeySecret secret={made.secret} path={made.path} doneLabel={t.toKey} onDone={done} />
      </Suspense>
    </>
  );
}

const KeySecret = lazy(async () => ({ default: (await import('../secret-once.tsx')).KeySecret }));

interface FormProps {
  readonly catalog: CatalogView;
  readonly setup: KeySetup;
  readonly onMade: (made: Made & { readonly path: string }) => void;
}

function NewKeyForm({ catalog, setup, onMade }: FormProps) {
  const t = useTexts(keysTexts);
  const { account } = useSession();
  const format = useFormat();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { draft, change, clear } = useDraft(account?.id ?? '');
  const { problems, showAll, refuse, fields } = useProblems(draft, change);
  const deciding = useDecidingCatalog(catalog);
  const step: Step = STEPS.find((name) => name === search.adim) ?? 'kapsam';
  const wrong = Object.keys(problems).length > 0;
  useTemplateLink(catalog, draft, change, search.sablon);
  const go = (adim: Step) => navigate({ to: '.', search: { adim: adim === 'kapsam' ? undefined : adim } });
  const next = () => {
    if (step === 'kapsam') return draft.endpoints.length > 0 ? go('kisitlar') : undefined;
    showAll();
    return step === 'kisitlar' && !wrong ? go('gozden') : document.getElementById(Object.keys(problems)[0] ?? '')?.focus();
  };
  const discard = () => {
    clear();
    notify({ title: t.discarded, undo: { label: t.undoDiscard, run: () => change(draft) } });
  };
  const showRefusal = (error: unknown) => {
    if (refuse(error)) go('kisitlar');
  };
  const previewed = previewedOf(draft, format.zone, account?.status === 'Askıda');
  const rail = { catalog: deciding, previewed, sandboxShared: setup.sandbox_shared, address: setup.your_address };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut beside the buttons, which do the same
    <div
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && step !== 'gozden' && next()}
      className={WITH_RAIL}
    >
      <div className="min-w-0">
        <Steps
          step={step}
          onStep={go}
          open={{ kapsam: true, kisitlar: draft.endpoints.length > 0, gozden: draft.endpoints.length > 0 && !wrong }}
        />
        {step === 'kapsam' && <ScopeStep catalog={catalog} draft={draft} change={change} />}
        {step === 'kisitlar' && <Limits {...fields} address={setup.your_address} sandboxShared={setup.sandbox_shared} />}
        {step === 'gozden' && (
          <Review
            catalog={catalog}
            draft={draft}
            change={change}
            onRefused={showRefusal}
            onMade={(key) => {
              onMade(key);
              clear();
            }}
          />
        )}
        <StepButtons
          step={step}
          rail={rail}
          onBack={() => go(step === 'gozden' ? 'kisitlar' : 'kapsam')}
          onNext={next}
          blocked={draft.endpoints.length === 0 ? t.pickFirst : undefined}
          onDiscard={() => {
            discard();
            go('kapsam');
          }}
        />
      </div>
      <Rail {...rail} />
    </div>
  );
}

/** Problems are shown after the first attempt to leave the step; the server's until something is changed. */
function useProblems(draft: KeyDraft, change: (changes: Partial<KeyDraft>) => void) {
  const t = useTexts(keysTexts);
  const { zone } = useFormat();
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<Problems>({});
  const problems = draftProblems(draft, t, Date.now(), zone);
  return {
    problems,
    showAll: () => setTried(true),
    /** Whether the server's error is about fields of the form. */
    refuse: (error: unknown): boolean => {
      const byField = problemsOf(error);
      if (Object.keys(byField).length === 0) return false;
      setRefused(byField);
      return true;
    },
    fields: {
      draft,
      change: (changes: Partial<KeyDraft>) => {
        setRefused({});
        change(changes);
      },
      problems: { ...(tried ? problems : {}), ...refused },
    },
  };
}

function Limits(props: ComponentProps<typeof LimitsStep>) {
  return (
    <Suspense fallback={<SkeletonRows rows={6} />}>
      <LimitsStep {...props} />
    </Suspense>
  );
}

type ReviewProps = Omit<ComponentProps<typeof ReviewStep>, 'onMade'> & Pick<FormProps, 'onMade'>;

/** The last step, loaded when it is opened. */
function Review({ onMade, ...props }: ReviewProps) {
  const refresh = useRefreshKeys();
  return (
    <Suspense fallback={<SkeletonRows rows={6} />}>
      <ReviewStep
        {...props}
        onMade={(key) => {
          onMade({ ...key, path: pathFor(props.catalog, props.draft.endpoints) });
          void refresh();
        }}
      />
    </Suspense>
  );
}

/** The key as the preview judges it. */
const previewedOf = (draft: KeyDraft, zone: string, accountSuspended: boolean) => ({
  ...draft,
  endpoints: new Set(draft.endpoints),
  allowedIps: linesOf(draft.ips),
  expiresAt: expiryOf(draft, Date.now(), zone)?.getTime() ?? null,
  revoked: false,
  authorizations: [],
  accountSuspended,
});

/** `?sablon=read-only` fills an empty draft. */
function useTemplateLink(
  catalog: CatalogView,
  draft: KeyDraft,
  change: (changes: Partial<KeyDraft>) => void,
  linked: string | undefined,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened by such a link
  useEffect(() => {
    const template = TEMPLATES.find((name) => name === linked) as Template | undefined;
    if (template !== undefined && draft.endpoints.length === 0) change({ endpoints: templateIds(template, catalog) });
  }, []);
}

/** A live endpoint of the key, for the sample request. */
export function pathFor(catalog: CatalogView, endpoints: readonly string[]): string {
  const held = new Set(endpoints);
  const endpoint = catalog.rows.find(
    ({ id, method, path, status }) => held.has(id) && method === 'GET' && status === 'Aktif' && !path.includes('{'),
  );
  return endpoint?.path ?? 'vehicles';
}

interface ButtonsProps {
  readonly step: Step;
  readonly onBack: () => void;
  readonly onNext: () => void;
  readonly blocked: string | undefined;
  readonly onDiscard: () => void;
  readonly rail: RailProps;
}

function StepButtons({ step, onBack, onNext, blocked, onDiscard, rail }: ButtonsProps) {
  const t = useTexts(keysTexts);
  return (
    <BottomBar stays={step === 'kapsam'}>
      {step !== 'kapsam' && <Button onClick={onBack}>{t.back}</Button>}
      {step !== 'gozden' && (
        <Button look="primary" onClick={onNext} disabled={blocked !== undefined} title={t.nextHint}>
          {t.next}
        </Button>
      )}
      {blocked && step === 'kapsam' && <span className="text-13 text-text-2">{blocked}</span>}
      <span className="ml-auto flex gap-2">
        <Button look="quiet" onClick={onDiscard}>
          {t.discard}
        </Button>
        <RailButton {...rail} />
      </span>
    </BottomBar>
  );
}
