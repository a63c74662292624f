import { CopyButton } from './copy-button.tsx';
import { cx } from './cx.ts';

interface CodeBlockProps {
  /** The accessible name. */
  readonly label: string;
  readonly text: string;
  /** Limits the height; longer code scrolls. */
  readonly tall?: boolean;
  /** Wraps long lines, for code that is copied rather than read. */
  readonly wrap?: boolean;
}

/** Code in a scrolling box with a copy button. */
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
