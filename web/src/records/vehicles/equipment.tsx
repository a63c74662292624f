import { useTexts } from '../../language.ts';
import { carFactsTexts } from './car-facts.ts';

export function Equipment({ items }: { readonly items: readonly string[] }) {
  const t = useTexts(carFactsTexts);
  return (
    <ul aria-label={t.equipment} className="m-0 flex list-none flex-wrap gap-1.5 p-0">
      {items.map((item) => (
        <li key={item} className="rounded-badge bg-subtle px-2 py-0.5 text-13">
          {item}
        </li>
      ))}
    </ul>
  );
}
