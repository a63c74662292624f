// Saved filters: choose one, save the current one, rename, update, delete.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Check, Pencil, RefreshCw, Settings2, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { SavedView, ViewScreen } from '../../../../src/panel/account/views.ts';
import { ApiError, call } from '../../api.ts';
import type { BodyOf } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { useSession } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { viewsTexts } from '../../texts/views.ts';
import { Button, IconButton } from '../button.tsx';
import { Field, TextInput } from '../input/field.tsx';
import { Dialog } from '../overlay/dialog.tsx';
import { Menu, MenuHeading, MenuItem, MenuLine } from '../overlay/menu.tsx';
import { notify } from '../overlay/toast.tsx';
import { ErrorState } from '../page/states.tsx';

interface SavedViewsProps {
  readonly screen: ViewScreen;
  /** The current filters as in the address, without the page. */
  readonly query: string;
  readonly onPick: (query: string) => void;
}

export function SavedViews({ screen, query, onPick }: SavedViewsProps) {
  const t = useTexts(viewsTexts);
  const { look } = useSession();
  const [open, setOpen] = useState<'save' | 'manage' | null>(null);
  const views = useQuery({
    queryKey: ['views', screen],
    queryFn: ({ signal }) => call('GET views', { query: { screen }, signal }),
  });
  const list = views.data ?? [];
  const current = list.find((view) => sameQuery(view.query, query));
  return (
    <>
      <Menu trigger={<Button icon={Bookmark}>{current?.name ?? t.views}</Button>}>
        <MenuHeading>{list.length === 0 ? t.none : t.views}</MenuHeading>
        {list.map((view) => (
          <MenuItem key={view.id} {...(view === current ? { icon: Check } : {})} onSelect={() => onPick(view.query)}>
            <span className={view === current ? '' : 'pl-6'}>{view.name}</span>
          </MenuItem>
        ))}
        {!look && <MenuLine />}
        {!look && (
          <MenuItem icon={Bookmark} onSelect={() => setOpen('save')}>
            {t.save}
          </MenuItem>
        )}
        {!look && list.length > 0 && (
          <MenuItem icon={Settings2} onSelect={() => setOpen('manage')}>
            {t.manage}
          </MenuItem>
        )}
      </Menu>
      <SaveDialog screen={screen} query={query} open={open === 'save'} onClose={() => setOpen(null)} />
      <Dialog open={open === 'manage'} onClose={() => setOpen(null)} title={t.manageTitle} description={t.manageHint}>
        {views.isError && <ErrorState error={views.error} onRetry={views.refetch} />}
        <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
          {list.map((view) => (
            <ManagedView key={view.id} screen={screen} view={view} query={query} />
          ))}
        </ul>
        {list.length === 0 && <p className="m-0 py-4 text-text-2">{t.none}</p>}
      </Dialog>
    </>
  );
}

/** Compares filters regardless of their order. */
function sameQuery(one: string, other: string): boolean {
  const sorted = (text: string) => {
    const params = new URLSearchParams(text);
    params.sort();
    return params.toString();
  };
  return sorted(one) === sorted(other);
}

interface SaveDialogProps {
  readonly screen: ViewScreen;
  readonly query: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

function SaveDialog({ open, onClose, ...rest }: SaveDialogProps) {
  const t = useTexts(viewsTexts);
  return (
    <Dialog open={open} onClose={onClose} title={t.saveTitle} description={t.saveHint}>
      {/* Mounted at each opening, so that it starts empty. */}
      {open && <SaveForm {...rest} onClose={onClose} />}
    </Dialog>
  );
}

function SaveForm({ screen, query, onClose }: Omit<SaveDialogProps, 'open'>) {
  const t = useTexts(viewsTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const [name, setName] = useState('');
  const save = useMutation({
    mutationFn: () => call('POST views', { body: { screen, name, query } }),
    onSuccess: async (view) => {
      await client.invalidateQueries({ queryKey: ['views', screen] });
      notify({ title: t.saved(view.name) });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 pb-2">
      <Field label={t.name} error={save.error ? problemOf(save.error, p.offline) : undefined}>
        <TextInput value={name} onChange={setName} maxLength={60} required autoFocus autoComplete="off" />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{p.cancel}</Button>
        <Button look="primary" type="submit" busy={save.isPending} disabled={name.trim() === ''}>
          {t.saveAction}
        </Button>
      </div>
    </form>
  );
}

const problemOf = (error: unknown, offline: string): string =>
  error instanceof ApiError ? (error.of('name') ?? error.message) : offline;

/** One view in the list of saved views. */
function ManagedView({ screen, view, query }: { readonly screen: ViewScreen; readonly view: SavedView; readonly query: string }) {
  const t = useTexts(viewsTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const again = () => client.invalidateQueries({ queryKey: ['views', screen] });
  const change = useMutation({
    mutationFn: (changed: BodyOf<'PATCH views/{view_id}'>) =>
      call('PATCH views/{view_id}', { params: { view_id: view.id }, body: changed }),
    onSuccess: async () => {
      await again();
      setName(null);
    },
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE views/{view_id}', { params: { view_id: view.id } }),
    onSuccess: async () => {
      await again();
      const restore = () => call('POST views', { body: { screen, name: view.name, query: view.query } }).then(again, () => {});
      notify({ title: t.deleted(view.name), undo: { label: p.undo, run: restore } });
    },
  });
  const failure = change.error ?? remove.error;
  if (name === null)
    return (
      <li className="flex flex-wrap items-center gap-1 py-1.5">
        <span className="min-w-0 flex-1 wrap-anywhere">{view.name}</span>
        <IconButton label={t.rename(view.name)} icon={Pencil} onClick={() => setName(view.name)} />
        {!sameQuery(view.query, query) && (
          <IconButton label={t.update(view.name)} icon={RefreshCw} onClick={() => change.mutate({ query })} />
        )}
        <IconButton label={t.delete(view.name)} icon={Trash2} onClick={() => remove.mutate()} disabled={remove.isPending} />
        {failure && (
          <p role="alert" className="m-0 w-full text-12 font-medium text-danger">
            {problemOf(failure, p.offline)}
          </p>
        )}
      </li>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ name });
  };
  return (
    <li className="py-2">
      <form onSubmit={submit} className="flex flex-col gap-2">
        <Field label={t.name} error={change.error ? problemOf(change.error, p.offline) : undefined}>
          <TextInput value={name} onChange={setName} maxLength={60} required autoFocus autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => setName(null)}>{p.cancel}</Button>
          <Button look="primary" type="submit" busy={change.isPending} disabled={name.trim() === ''}>
            {t.renameAction}
          </Button>
        </div>
      </form>
    </li>
  );
}
