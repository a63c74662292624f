// Votes for an endpoint: one vote for the account, with the use case.
import { type FormEvent, useState } from 'react';
import type { Vote } from '../../../../src/domain/releases/votes.ts';
import type { CatalogLine } from '../../../../src/panel/developer/catalog.ts';
import { ApiError } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { MethodChip } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import { Field, TextArea } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { catalogTexts } from './texts.ts';
import { useVote } from './votes.ts';

interface VoteDialogProps {
  /** Null while the dialog is closed. */
  readonly endpoint: Pick<CatalogLine, 'id' | 'method' | 'path' | 'name'> | null;
  readonly mine: Vote | null;
  readonly onClose: () => void;
}

const MAX_LENGTH = 280;

export function VoteDialog({ endpoint, mine, onClose }: VoteDialogProps) {
  const t = useTexts(catalogTexts);
  const form = endpoint && <VoteForm key={endpoint.id} endpoint={endpoint} mine={mine} onClose={onClose} />;
  return (
    <Dialog open={endpoint !== null} onClose={onClose} title={mine ? t.voteChange : t.voteTitle} description={t.voteHint}>
      {form}
    </Dialog>
  );
}

interface VoteFormProps {
  readonly endpoint: NonNullable<VoteDialogProps['endpoint']>;
  readonly mine: Vote | null;
  readonly onClose: () => void;
}

function VoteForm({ endpoint, mine, onClose }: VoteFormProps) {
  const t = useTexts(catalogTexts);
  const p = useTexts(partsTexts);
  const locale = useLocale();
  const [useCase, setUseCase] = useState(mine?.use_case ?? '');
  const [blocks, setBlocks] = useState(mine?.blocks_go_live ?? false);
  const vote = useVote(endpoint.id);
  const send = async (next: Vote | null) => {
    await vote.mutateAsync(next);
    onClose();
    notify({ title: next === null ? t.withdrawn : t.voted, text: endpoint.name[locale] });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send({ use_case: useCase.trim() === '' ? null : useCase, blocks_go_live: blocks }).catch(() => {});
  };
  const { error } = vote;
  const fault = error instanceof ApiError ? error.of('use_case') : undefined;
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 pb-2">
      <p className="m-0 flex items-center gap-2">
        <MethodChip method={endpoint.method} />
        <span className="min-w-0">
          <span className="code block text-13 wrap-anywhere">{endpoint.path}</span>
          <span className="block text-12 text-text-2">{endpoint.name[locale]}</span>
        </span>
      </p>
      <Field label={t.useCase} optional hint={t.useCaseHint(MAX_LENGTH - [...useCase].length)} error={fault}>
        <TextArea value={useCase} onChange={(text) => setUseCase([...text].slice(0, MAX_LENGTH).join(''))} rows={4} />
      </Field>
      <Checkbox checked={blocks} onChange={setBlocks} label={t.blocks} hint={t.blocksHint} />
      {error && fault === undefined && (
        <p role="alert" className="m-0 text-13 font-medium text-danger">
          {error instanceof ApiError ? error.message : p.offline}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {mine && (
          <Button look="quiet" className="mr-auto" disabled={vote.isPending} onClick={() => send(null).catch(() => {})}>
            {t.withdraw}
          </Button>
        )}
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look="primary" type="submit" busy={vote.isPending}>
          {mine ? t.save : t.ask}
        </Button>
      </div>
    </form>
  );
}
