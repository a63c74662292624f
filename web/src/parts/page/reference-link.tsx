// A link to the API reference, in the reader's language.
import { BookOpenText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocale } from '../../language.ts';
import { buttonLook } from '../button.tsx';

/** `/docs/vehicles#get-vehicles` in this language. */
export function useReference(): (place?: string) => string {
  const locale = useLocale();
  return (place = '/docs') => {
    const [path, anchor] = place.split('#');
    return `${path}?lang=${locale}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}

export function ReferenceLink({ to, children }: { readonly to?: string; readonly children: ReactNode }) {
  const reference = useReference();
  return (
    <a href={reference(to)} className={buttonLook()}>
      <BookOpenText aria-hidden className="size-4" />
      {children}
    </a>
  );
}
