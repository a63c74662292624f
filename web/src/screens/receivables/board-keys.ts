// J and K go from card to card through all lanes; T, S and W press the button of the card that has the focus.
import { type RefObject, useEffect } from 'react';
import { isTakenElsewhere } from '../../parts/table/row-keys.ts';

export function useBoardKeys(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTakenElsewhere(event)) return;
      const key = event.key.toLowerCase();
      const cards = [...(place.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
      const at = cards.findIndex((card) => card.contains(document.activeElement));
      if (key === 'j' || key === 'k') {
        if (cards.length === 0) return;
        event.preventDefault();
        const next = cards[at < 0 ? 0 : Math.min(Math.max(at + (key === 'j' ? 1 : -1), 0), cards.length - 1)];
        next?.focus();
        next?.scrollIntoView({ block: 'nearest' });
        return;
      }
      const button = cards[at]?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
      if (button === null || button === undefined) return;
      event.preventDefault();
      button.click();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [place]);
}
