import { CopyButton } from './copy-button.tsx';
import { cx } from './cx.ts';

interface CodeBlockProps {
  /** What it is, for readers. */
  readonly label: string;
  readonly text: string;
  /** Grows no higher than this and scrolls within. */
  readonly tall?: boolean;
  /** Long lines are broken: for what is copied rather than read by its columns. */
  readonly wrap?: boolean;
}

/** Code that scrolls within itself, with a button to copy it. */
export function CodeBlock({ label, text, tall = false, wrap = false }: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-control border border-line bg-subtle">
      <div className="absolute top-1 right-1 z-10 rounded-control bg-subtle">
        <CopyButton text={text} />
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
        tabIndex={0}
        className={cx('overflow-auto rounded-control', tall ? 'max-h-[32rem]' : 'max-h-80')}
      >
        <pre className={cx('code m-0 p-3 pr-10 text-12', wrap && 'whitespace-pre-wrap wrap-anywhere')}>{text}</pre>
      </section>
    </div>
  );
}
