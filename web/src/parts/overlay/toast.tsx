// Messages that disappear automatically, at most three at once; one with an undo button stays ten seconds.
import { Toast as Base } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { cx } from '../cx.ts';

const manager = Base.createToastManager();

interface Message {
  readonly title: string;
  readonly text?: string;
  readonly failed?: boolean;
  readonly undo?: { readonly label: string; readonly run: () => void };
}

/** Messages sent before `Toasts` is on the page, whose code is fetched late. */
let waiting: Message[] | null = [];

export function notify(message: Message): void {
  if (waiting === null) show(message);
  else waiting.push(message);
}

function show({ title, text, failed = false, undo }: Message): void {
  const id = manager.add({
    title,
    description: text,
    type: failed ? 'error' : 'success',
    priority: failed ? 'high' : 'low',
    timeout: failed || undo ? 10_000 : 5_000,
    ...(undo && {
      actionProps: {
        children: undo.label,
        onClick: () => {
          manager.close(id);
          undo.run();
        },
      },
    }),
  });
}

export function Toasts() {
  useEffect(() => {
    for (const message of waiting ?? []) show(message);
    waiting = null;
  }, []);
  return (
    <Base.Provider toastManager={manager}>
      <Base.Portal>
        <Base.Viewport className="fixed inset-x-4 top-16 z-50 flex flex-col items-end gap-2 sm:left-auto sm:w-96 xl:top-auto xl:bottom-16">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList() {
  const { toasts } = Base.useToastManager();
  const t = useTexts(partsTexts);
  return toasts.map((toast) => {
    const failed = toast.type === 'error';
    const Icon = failed ? CircleAlert : CircleCheck;
    return (
      <Base.Root
        key={toast.id}
        toast={toast}
        className="card flex w-full items-start gap-2.5 p-3 shadow-pop transition-opacity data-[ending-style]:opacity-0 data-[limited]:hidden data-[starting-style]:opacity-0"
      >
        <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', failed ? 'text-danger' : 'text-live')} />
        <div className="min-w-0 flex-1">
          <Base.Title className="font-medium" />
          <Base.Description className="text-13 text-text-2" />
        </div>
        <Base.Action className="rounded-control px-2 py-0.5 text-13 font-medium text-accent hover:bg-soon-bg" />
        <Base.Close aria-label={t.close} className="grid size-6 place-items-center rounded-control text-text-3 hover:bg-soon-bg">
          <X aria-hidden className="size-4" />
        </Base.Close>
      </Base.Root>
    );
  });
}
