// The pages around a record's form: roles that cannot write see a message, and an edit begins with the latest version of the record.
import type { UseQueryResult } from '@tanstack/react-query';
import { type LinkProps, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Tagged } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { isEmptyBody } from '../form/form-body.ts';
import { type EditOptions, useEdit } from '../form/form-edit.ts';
import type { FormValues } from '../form/form-state.ts';
import type { Write } from '../form/form-write.ts';
import { notify } from '../overlay/toast.tsx';
import { PageHeader } from './page-header.tsx';
import { RecordGone, type RecordGoneTexts, RecordSkeleton, ToList } from './record.tsx';
import { EmptyState } from './states.tsx';

interface NotYoursProps {
  readonly list: NonNullable<LinkProps['to']>;
  readonly toList: string;
}

/** Shown instead of the form to roles that may only read. */
export function Forbidden({ list, toList }: NotYoursProps) {
  const t = useTexts(partsTexts);
  return (
    <div className="card">
      <EmptyState title={t.forbidden} action={<ToList to={list}>{toList}</ToList>} />
    </div>
  );
}

interface EditScreenProps<T> {
  /** The result of `editingQuery`. */
  readonly read: UseQueryResult<Tagged<T>>;
  readonly may: boolean;
  readonly title: string;
  readonly texts: RecordGoneTexts;
  readonly list: NonNullable<LinkProps['to']>;
  readonly back: ReactNode;
  readonly cards: Readonly<Record<string, string>>;
  readonly beside?: (record: T) => ReactNode;
  /** Why this record cannot be edited by anyone. */
  readonly refusal?: (record: T) => string | undefined;
  readonly children: (read: Tagged<T>) => ReactNode;
}

export function EditScreen<T>({ read, may, title, texts, list, back, cards, beside, refusal, children }: EditScreenProps<T>) {
  if (read.isPending) return <RecordSkeleton cards={cards} />;
  if (read.isError)
    return <RecordGone error={read.error} onRetry={read.refetch} back={back} title={title} texts={texts} list={list} />;
  const refused = refusal?.(read.data.data);
  return (
    <>
      <PageHeader title={title} above={back} beside={beside?.(read.data.data)} />
      {!may ? (
        <Forbidden list={list} toList={texts.toList} />
      ) : refused !== undefined ? (
        <div className="card">
          <EmptyState title={refused} action={back} />
        </div>
      ) : (
        children(read.data)
      )}
    </>
  );
}

interface RecordEditOptions<T, V extends FormValues, Body extends object> extends Omit<EditOptions<T, V, Body>, 'onDone'> {
  /** The body of the PATCH for the changed fields. */
  readonly toBody: (values: V, changed: readonly string[]) => Body;
  readonly saved: string;
  readonly onSaved: (now: T) => unknown;
  /** Goes to the record's page. */
  readonly leave: () => unknown;
}

interface RecordEdit<T, Body> {
  readonly write: Write<Body, T>;
  readonly submit: () => void;
  readonly back: () => void;
}

export function useRecordEdit<T, V extends FormValues, Body extends object>(
  options: RecordEditOptions<T, V, Body>,
): RecordEdit<T, Body> {
  const { toBody, saved, onSaved, leave, ...edit } = options;
  const { form } = edit;
  const router = useRouter();
  // Goes back in the history where possible, so that the record's page still leads back to its list.
  const back = () => (router.history.canGoBack() ? router.history.back() : void leave());
  const write = useEdit({
    ...edit,
    onDone: (now) => {
      form.release();
      notify({ title: saved });
      void onSaved(now);
      back();
    },
  });
  const submit = () => {
    const body = toBody(form.values, form.changed);
    if (isEmptyBody(body)) back();
    // `toBody` has returned the endpoint's own body; of an unknown `Body` the compiler cannot check the names again.
    else (write.run as (body: Body) => void)(body);
  };
  return { write, submit, back };
}
