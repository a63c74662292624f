// The keys of the panel, shown by «?».
import { useTexts } from '../language.ts';
import { Dialog } from '../parts/overlay/dialog.tsx';
import { shortcutTexts } from './shortcut-texts.ts';

const KEYS = [
  ['palette', ['Ctrl K']],
  ['keys', ['?']],
  ['search', ['/']],
  ['rows', ['J', 'K']],
  ['open', ['Enter']],
  ['create', ['C']],
  ['save', ['Ctrl Enter']],
  ['close', ['Esc']],
  ['board', ['T', 'S', 'W']],
  ['tail', ['Space', 'E']],
] as const;

export function Shortcuts({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(shortcutTexts);
  return (
    <Dialog open={open} onClose={onClose} title={t.shortcuts}>
      <dl className="m-0 flex flex-col gap-1.5">
        {KEYS.map(([name, keys]) => (
          <div key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <dt>{t.shortcut[name]}</dt>
            <dd className="m-0 flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-badge border border-line bg-subtle px-1.5 font-mono text-12">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
