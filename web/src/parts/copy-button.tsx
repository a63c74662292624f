import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTexts } from '../language.ts';
import { partsTexts } from '../texts/parts.ts';
import { Button, IconButton } from './button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** A visible label; without it the button is only an icon. */
  readonly label?: string;
  readonly look?: 'primary' | 'secondary' | 'quiet';
  readonly onCopied?: () => void;
}

export function CopyButton({ text, label, look = 'secondary', onCopied }: CopyButtonProps) {
  const t = useTexts(partsTexts);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onCopied?.();
    } catch {
      // Loaded on demand, because the first screen has this button but no toast.
      const { notify } = await import('./overlay/toast.tsx');
      notify({ title: t.copyRefused, failed: true });
    }
  };
  const icon = copied ? Check : Copy;
  return (
    <>
      {label ? (
        <Button look={look} icon={icon} onClick={copy}>
          {label}
        </Button>
      ) : (
        <IconButton label={t.copy} icon={icon} onClick={copy} className="size-7" />
      )}
      <span role="status" className="sr-only">
        {copied ? t.copied : ''}
      </span>
    </>
  );
}
