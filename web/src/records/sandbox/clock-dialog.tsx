// The clock of the sandbox in a dialog, from the band of every page.
import { useTexts } from '../../language.ts';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { SandboxClock } from './clock.tsx';
import { sandboxTexts } from './texts.ts';

export function ClockDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(sandboxTexts);
  return (
    <Dialog open={open} onClose={onClose} title={t.clock} description={t.clockText}>
      <SandboxClock />
    </Dialog>
  );
}
