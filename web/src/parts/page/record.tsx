// Parts around a record's screen: the link back, and the messages for a record that is gone or cannot be loaded.
import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { buttonLook } from '../button.tsx';
import { PageHeader } from './page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from './states.tsx';

/** A link to the record's list: `<BackLink to="/araclar">Araçlar</BackLink>`. */
export const BackLink = ((props: ComponentProps<typeof Link>) => (
  <Link {...props} className="inline-flex min-h-6 items-center gap-1 text-text-2 no-underline hover:text-text hover:underline">
    <ArrowLeft aria-hidden className="size-3.5" />
    {props.children as ReactNode}
  </Link>
)) as typeof Link;

export interface RecordErrorProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly back: ReactNode;
  /** The heading where the record's name is not known. */
  readonly title: string;
  /** The message for an address without a record; there is no retry. */
  readonly gone: { readonly title: string; readonly text: string; readonly action: ReactNode };
}

export function RecordError({ error, onRetry, back, title, gone }: RecordErrorProps) {
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <>
      <PageHeader title={isGone ? gone.title : title} above={back} />
      <div className="card">
        {isGone ? <EmptyState title={gone.text} action={gone.action} /> : <ErrorState error={error} onRetry={onRetry} />}
      </div>
    </>
  );
}

/** The texts for a record whose list has its own address. */
export interface RecordGoneTexts {
  readonly notFound: string;
  readonly notFoundText: string;
  readonly toList: string;
}

interface RecordGoneProps extends Omit<RecordErrorProps, 'gone'> {
  readonly texts: RecordGoneTexts;
  readonly list: NonNullable<LinkProps['to']>;
}

/** A `RecordError` that leads back to the list. */
export const RecordGone = ({ texts, list, ...props }: RecordGoneProps) => (
  <RecordError
    {...props}
    gone={{ title: texts.notFound, text: texts.notFoundText, action: <ToList to={list}>{texts.toList}</ToList> }}
  />
);

export const ToList = ({ to, children }: { readonly to: NonNullable<LinkProps['to']>; readonly children: ReactNode }) => (
  <Link to={to} className={buttonLook('secondary')}>
    {children}
  </Link>
);

/** A placeholder of the final size: the link back, a heading, and cards with the heights in `cards`. */
export function RecordSkeleton({ cards }: { readonly cards: Readonly<Record<string, string>> }) {
  const t = useTexts(partsTexts);
  return (
    <div role="status" aria-label={t.loading}>
      <Skeleton className="mb-2 h-5 w-20" />
      <Skeleton className="mb-6 h-8 w-72 max-w-full" />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {Object.entries(cards).map(([card, height]) => (
          <div key={card} className="card p-4">
            <Skeleton className="mb-4 h-4 w-32" />
            <Skeleton className={`w-full ${height}`} />
          </div>
        ))}
      </div>
    </div>
  );
}
