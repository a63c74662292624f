// A record's form: errors on top and at each field, buttons that stay visible, and a guard against losing changes.
import { useBlocker } from '@tanstack/react-router';
import { ChevronRight, RotateCcw } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isLeavingToSignIn } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Button } from '../button.tsx';
import { cx } from '../cx.ts';
import { ErrorSummary } from '../input/error-summary.tsx';
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx';
import { Dialog, Drawer } from '../overlay/dialog.tsx';
import { EditConflict } from './form-edit.ts';
import { type Form, type FormValue, type FormValues, useFixedFields } from './form-state.ts';
import { formTexts } from './form-texts.ts';
import { isSavedBefore } from './form-write.ts';

interface FormProps<V extends FormValues> {
  readonly form: Form<V>;
  /** Field → its label in the form. */
  readonly names: Readonly<Record<string, string>>;
  readonly error: unknown;
  /** Field → value → its label, where it differs from the value. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  /** The verb on the button; «Kaydet» without it. */
  readonly action?: string;
  readonly children: ReactNode;
}

/** Ctrl+Enter saves from every field, text areas too. */
const submitsBy = (event: KeyboardEvent): boolean => event.key === 'Enter' && (event.ctrlKey || event.metaKey);

interface RecordFormProps<V extends FormValues> extends FormProps<V> {
  readonly onCancel: () => void;
  /** A second save button, for example one that leads to another page. */
  readonly also?: { readonly action: string; readonly onSubmit: () => void };
  /** Shown beside the fields, on a phone below them and above the buttons: what saving would do. */
  readonly aside?: ReactNode;
}

/** A form as a page. */
export function RecordForm<V extends FormValues>(props: RecordFormProps<V>) {
  const { form, isBusy, onSubmit, onCancel, action, also, aside, children } = props;
  const t = useTexts(formTexts);
  const p = useTexts(partsTexts);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => submitsBy(event) && submit(event)}
      noValidate
      className={aside ? '' : 'max-w-[960px]'}
    >
      <Guard form={form} />
      <Restored form={form} />
      <FormErrors {...props} />
      <div className={cx('grid grid-cols-1 items-start gap-4', Boolean(aside) && 'lg:grid-cols-[minmax(0,1fr)_20rem]')}>
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
        {aside}
      </div>
      <footer className="sticky bottom-0 z-10 -mx-1 mt-4 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-subtle px-1 py-3">
        <span className="mr-auto hidden text-12 text-text-3 sm:inline pointer-coarse:hidden">{t.saveKeys}</span>
        <Button onClick={onCancel}>{p.cancel}</Button>
        {also && (
          <Button onClick={also.onSubmit} disabled={isBusy}>
            {also.action}
          </Button>
        )}
        <Button look="primary" type="submit" busy={isBusy}>
          {action ?? t.save}
        </Button>
      </footer>
    </form>
  );
}

function FormErrors<V extends FormValues>(props: Pick<FormProps<V>, 'form' | 'error' | 'names' | 'words'>) {
  const { form, error, names } = props;
  const t = useTexts(formTexts);
  const isFixed = useFixedFields(form, error);
  if (error instanceof EditConflict) return <Conflict {...props} conflict={error} />;
  if (!isSavedBefore(error)) return <ErrorSummary error={error} names={names} isFixed={isFixed} />;
  return (
    <p role="alert" className="mt-0 mb-4 rounded-card border border-danger bg-dest-bg p-3 font-medium text-dest">
      {t.savedBefore}
    </p>
  );
}

interface ConflictProps<V extends FormValues> extends Pick<FormProps<V>, 'form' | 'names' | 'words'> {
  readonly conflict: EditConflict;
}

/** Shows what someone else has changed. Saving again overwrites only the fields typed here. */
function Conflict<V extends FormValues>({ form, names, words, conflict }: ConflictProps<V>) {
  const t = useTexts(formTexts);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (conflict) box.current?.focus();
  }, [conflict]);
  // Of ids, lists and ticks only the field is named.
  const shown = (name: string, now: FormValue) =>
    typeof now !== 'string' ? '' : (words?.[name]?.[now] ?? (isUuid(now) ? '' : now));
  const after = (name: string, now: FormValue) => (shown(name, now) === '' ? '' : `: ${shown(name, now)}`);
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="mb-4 scroll-mt-20 rounded-card border border-line-strong bg-write-bg p-3 text-write"
    >
      <p className="m-0 font-medium">{t.conflict}</p>
      <p className="mt-1 mb-0 text-13">{t.conflictText}</p>
      <ul className="mt-1 mb-0 pl-5 text-13 wrap-anywhere">
        {conflict.changes.map(({ name, now, isTyped }) => (
          <li key={name}>
            {names[name] ?? name}
            {after(name, now)}
            {isTyped && <strong className="font-medium"> · {t.conflictTyped}</strong>}
          </li>
        ))}
      </ul>
      {form.isDirty && (
        <Button icon={RotateCcw} className="mt-2" onClick={form.clear}>
          {t.conflictLoad}
        </Button>
      )}
    </div>
  );
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text);

/**
 * Asks before changes are lost by leaving the screen or closing the tab. Signing in again loses nothing, because the draft is
 * kept.
 */
function Guard<V extends FormValues>({ form }: { readonly form: Form<V> }) {
  const t = useTexts(formTexts);
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => form.holds() && current.pathname !== next.pathname,
    enableBeforeUnload: () => form.holds() && !isLeavingToSignIn(),
    withResolver: true,
  });
  return (
    <LeaveDialog
      open={leaving.status === 'blocked'}
      onStay={() => leaving.reset?.()}
      onLeave={() => {
        form.release();
        leaving.proceed?.();
      }}
      t={t}
    />
  );
}

interface LeaveDialogProps {
  readonly open: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
  readonly t: (typeof formTexts)['tr'];
}

function LeaveDialog({ open, onStay, onLeave, t }: LeaveDialogProps) {
  const left = useRef(false);
  return (
    <ConfirmDialog
      open={open}
      // The dialog also closes after leaving was confirmed.
      onClose={() => (left.current ? undefined : onStay())}
      title={t.leaveTitle}
      action={t.leave}
      dismiss={t.stay}
      run={async () => {
        left.current = true;
        onLeave();
      }}
    >
      {t.leaveText}
    </ConfirmDialog>
  );
}

function Restored<V extends FormValues>({ form }: { readonly form: Form<V> }) {
  const t = useTexts(formTexts);
  if (!form.isRestored) return null;
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center justify-between gap-2 rounded-card bg-read-bg px-4 py-2 text-read"
    >
      <span>
        {t.restored} {form.hasSecrets && <span className="text-13">{t.restoredKept}</span>}
      </span>
      <Button icon={RotateCcw} onClick={form.clear}>
        {t.startOver}
      </Button>
    </div>
  );
}

interface FormLayerProps<V extends FormValues> extends FormProps<V> {
  readonly title: string;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  /** Opens as a drawer, for longer forms. */
  readonly drawer?: boolean;
  readonly danger?: boolean;
  /** For where «Cancel» would read as the action itself. */
  readonly dismiss?: string;
  /** For where the opener may no longer exist on closing. */
  readonly finalFocus?: () => HTMLElement | false | null;
}

/** A form in a layer over its screen, mounted while it is open. Closing it with changes asks first. */
export function FormLayer<V extends FormValues>(props: FormLayerProps<V>) {
  const { form, isBusy, onSubmit, onClose, title, description, drawer, danger, dismiss, action, children } = props;
  const t = useTexts(formTexts);
  const p = useTexts(partsTexts);
  const id = useId();
  const [asks, setAsks] = useState(false);
  const Layer = drawer ? Drawer : Dialog;
  const close = () => (form.isDirty && !isBusy ? setAsks(true) : onClose());
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    // Forms may be nested in React's tree, so the submit event must not reach the outer one.
    event.stopPropagation();
    onSubmit();
  };
  return (
    <>
      <Layer
        open
        onClose={close}
        title={title}
        description={description}
        finalFocus={props.finalFocus}
        footer={
          <>
            <Button onClick={close}>{dismiss ?? p.cancel}</Button>
            <Button look={danger ? 'danger' : 'primary'} type="submit" form={id} busy={isBusy}>
              {action ?? t.save}
            </Button>
          </>
        }
      >
        <form
          id={id}
          onSubmit={submit}
          onKeyDown={(event) => submitsBy(event) && submit(event)}
          noValidate
          className="flex flex-col gap-4 py-1"
        >
          <FormErrors {...props} />
          {children}
        </form>
      </Layer>
      <LeaveDialog open={asks} onStay={() => setAsks(false)} onLeave={onClose} t={t} />
    </>
  );
}

/** A group of fields under a heading, in two or three columns where there is space. */
export function FormSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="card m-0 min-w-0 p-4">
      {/* Floated, so that it is inside the card. */}
      <legend className="float-left mb-3 w-full p-0 text-14 font-semibold">{title}</legend>
      <FieldGrid>{children}</FieldGrid>
    </fieldset>
  );
}

/** Columns depend on the container, not on the window, because the same fields are used on pages and in drawers. */
function FieldGrid({ children }: { readonly children: ReactNode }) {
  return (
    <div className="@container clear-both">
      <div className="grid grid-cols-1 items-start gap-x-4 gap-y-3 @md:grid-cols-2 @2xl:grid-cols-3">{children}</div>
    </div>
  );
}

interface KeptSectionProps {
  readonly isNew: boolean;
  /** Open where one of its fields has a value or an error. */
  readonly isOpen: boolean;
  /** Names of the first fields, so that they are found while it is closed. */
  readonly holds: readonly string[];
  readonly children: ReactNode;
}

/** A collapsed group of write-only fields. */
export function KeptSection({ isNew, isOpen, holds, children }: KeptSectionProps) {
  const t = useTexts(formTexts);
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isOpen && box.current) box.current.open = true;
  }, [isOpen]);
  return (
    <details ref={box} className="card group/kept p-4">
      <summary className="flex min-h-6 list-none items-center gap-1.5 text-14 font-semibold">
        <ChevronRight aria-hidden className="size-4 text-text-3 transition-transform group-open/kept:rotate-90" />
        {t.keptTitle}
        <span className="min-w-0 truncate text-12 font-normal text-text-2 group-open/kept:hidden">{holds.join(', ')}</span>
      </summary>
      <p className="mt-2 mb-3 text-13 text-text-2">{isNew ? t.keptNew : t.keptEdit}</p>
      <FieldGrid>{children}</FieldGrid>
    </details>
  );
}
