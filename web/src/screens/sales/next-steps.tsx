// What comes after a sale, in its order: the down payment, the papers, their printing and signing, the handover. Gone once all is done.
import { CircleCheck, FilePlus2, HandCoins, KeyRound, Send } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { addressOf, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { refusalOf } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useMay } from '../../permissions.ts';
import { useDocumentsChanged } from '../../records/documents/documents.ts';
import { PaperLink, useMayPrint } from '../../records/documents/papers.tsx';
import {
  type PlanWithInstallments,
  type SaleDetail,
  useMayCollect,
  useSalesChanged,
  useToday,
} from '../../records/sales/sales.ts';
import { partsTexts } from '../../texts/parts.ts';
import { PaperGaps } from '../sale-acts/documents/paper-gaps.tsx';
import { usePaperGaps } from '../sale-acts/documents/paper-gaps-query.ts';
import { isOpenInstallment } from './acts.tsx';
import { useFiling } from './filing.ts';
import { nextStepsTexts } from './next-steps-texts.ts';
import type { BeginAct } from './sale-act.ts';

const SendAll = lazy(async () => ({ default: (await import('../sale-acts/documents/documents-send-all.tsx')).SendAll }));

interface StepsProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments | undefined;
  readonly begin: BeginAct;
}

function useStepRights(sale: SaleDetail) {
  const mayCollect = useMayCollect()(sale) && sale.status === 'Aktif';
  return { mayCollect, mayWrite: useMay('documents:write'), maySell: useMay('sales:write'), mayPrint: useMayPrint() };
}

export function NextSteps({ sale, plan, begin }: StepsProps) {
  const t = useTexts(nextStepsTexts);
  const filing = useFiling(sale);
  const gaps = usePaperGaps(sale.id).data;
  const { mayCollect, mayWrite, maySell, mayPrint } = useStepRights(sale);
  const down = plan?.installments.find(({ seq }) => seq === 0);
  const isDownOpen = down !== undefined && isOpenInstallment(down);
  const [isSending, setSending] = useState(false);
  // Stays when nothing is left to send: it then shows the links.
  const layer = <Suspense>{isSending && <SendAll saleId={sale.id} onClose={() => setSending(false)} />}</Suspense>;
  if (filing === undefined || plan === undefined || sale.status === 'İptal') return null;
  const isOver = !isDownOpen && filing.missing === 0 && filing.drafts.length === 0 && sale.delivered_at !== null;
  const isShown = !isOver && (mayCollect || mayWrite || maySell);
  return (
    <>
      {isShown && (
        <section aria-label={t.title} className="card mt-4 p-4 print:hidden">
          <h2 className="m-0 mb-3 text-14 font-semibold">{t.title}</h2>
          <ol className="m-0 grid list-none grid-cols-1 gap-3 p-0 sm:grid-cols-2 lg:grid-cols-5">
            {down !== undefined && (
              <Step
                name={sale.payment_type === 'Peşin' ? t.price : t.down}
                isDone={!isDownOpen}
                done={t.taken}
                waits={!mayCollect && t.notTaken}
              >
                {mayCollect && isDownOpen && (
                  <Button icon={HandCoins} onClick={() => begin({ act: 'collect', installment: down })}>
                    {sale.payment_type === 'Peşin' ? t.takePrice : t.takeDown}
                  </Button>
                )}
              </Step>
            )}
            <Step name={t.papers} isDone={filing.missing === 0} done={t.prepared} waits={!mayWrite && t.notPrepared}>
              {mayWrite && filing.missing > 0 && <Prepare saleId={sale.id} missing={filing.missing} />}
            </Step>
            <Step name={t.print} isDone={filing.isFiled} done={t.signed} waits={filing.live.length === 0 && t.afterPapers}>
              {mayPrint && filing.live.length > 0 && (
                <PaperLink
                  href={addressOf('GET sales/{sale_id}/papers.pdf', { params: { sale_id: sale.id } })}
                  title={t.allPapers}
                >
                  {t.printAll}
                </PaperLink>
              )}
            </Step>
            <Step
              name={t.sign}
              isDone={filing.live.length > 0 && filing.drafts.length === 0}
              done={t.sent}
              waits={filing.live.length === 0 && t.afterPapers}
            >
              {mayWrite && filing.drafts.length > 0 && (
                <Button icon={Send} onClick={() => setSending(true)}>
                  {t.send(filing.drafts.length)}
                </Button>
              )}
            </Step>
            <Step name={t.handover} isDone={sale.delivered_at !== null} done={t.handedOver} waits={!maySell && t.notHandedOver}>
              {maySell && sale.delivered_at === null && <HandOver saleId={sale.id} />}
            </Step>
          </ol>
          <PaperGaps gaps={gaps} />
        </section>
      )}
      {layer}
    </>
  );
}

interface StepProps {
  readonly name: string;
  readonly isDone: boolean;
  readonly done: string;
  /** What comes first, where the step cannot be taken yet. */
  readonly waits?: string | false;
  readonly children: ReactNode;
}

function Step({ name, isDone, done, waits, children }: StepProps) {
  return (
    <li className="flex min-w-0 flex-col items-start gap-1.5">
      <span className="text-13 font-medium">{name}</span>
      {isDone && (
        <span className="flex items-center gap-1 text-13 text-live">
          <CircleCheck aria-hidden className="size-4 shrink-0" />
          {done}
        </span>
      )}
      {!isDone && waits && <span className="text-13 text-text-2">{waits}</span>}
      {children}
    </li>
  );
}

function Prepare({ saleId, missing }: { readonly saleId: string; readonly missing: number }) {
  const t = useTexts(nextStepsTexts);
  const p = useTexts(partsTexts);
  const changed = useDocumentsChanged();
  const write = useWrite({
    send: (_: Record<string, never>, headers) => call('POST sales/{sale_id}/papers', { params: { sale_id: saleId }, headers }),
    onDone: ({ prepared }) => {
      notify({ title: t.preparedNow(prepared.length) });
      return changed();
    },
  });
  return (
    <>
      <Button icon={FilePlus2} busy={write.isPending} onClick={() => write.run({})}>
        {t.prepare(missing)}
      </Button>
      {write.error && <p className="m-0 text-13 text-danger">{refusalOf(write.error, {}, p.offline)}</p>}
      {write.data?.refused.map(({ title, message }) => (
        <p key={title} role="alert" className="m-0 text-13 text-danger">
          {title}: {message}
        </p>
      ))}
    </>
  );
}

function HandOver({ saleId }: { readonly saleId: string }) {
  const t = useTexts(nextStepsTexts);
  const p = useTexts(partsTexts);
  const today = useToday();
  const changed = useSalesChanged();
  const write = useWrite({
    send: (rawBody: { readonly delivered_at: string }, headers) =>
      call('PATCH v1/sales/{sale_id}', { params: { sale_id: saleId }, rawBody, headers }),
    onDone: () => {
      notify({ title: t.handedOver });
      return changed();
    },
  });
  return (
    <>
      <Button icon={KeyRound} busy={write.isPending} onClick={() => write.run({ delivered_at: today })}>
        {t.handOver}
      </Button>
      {write.error && <p className="m-0 text-13 text-danger">{refusalOf(write.error, {}, p.offline)}</p>}
    </>
  );
}
