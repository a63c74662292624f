// When the live view holds still: while the pointer is over it, while one has scrolled down into it, and when one says so.
import { useEffect, useState } from 'react';
import { isTakenElsewhere } from '../../parts/row-keys.ts';

export interface Hold {
  readonly held: boolean;
  /** By Space or its button: until the same again. */
  readonly byHand: boolean;
  toggle(): void;
  /** Goes on from the top. */
  release(): void;
  /** For what surrounds the rows. */
  readonly area: { onPointerEnter(event: { pointerType: string }): void; onPointerLeave(): void };
}

/** Past this many pixels one reads further down, and rows must not move. */
const SCROLLED = 320;

export function useHold(): Hold {
  const [byHand, setByHand] = useState(false);
  const [hovered, setHovered] = useState(false);
  const scrolled = useScrolled();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.repeat || isTakenElsewhere(event) || isPressed(event.target)) return;
      event.preventDefault();
      setByHand((held) => !held);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return {
    held: byHand || hovered || scrolled,
    byHand,
    toggle: () => setByHand((held) => !held),
    release: () => {
      setByHand(false);
      setHovered(false);
      scrollTo({ top: 0 });
    },
    area: {
      onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && setHovered(true),
      onPointerLeave: () => setHovered(false),
    },
  };
}

/** Space presses a focused button; there it is not ours. */
const isPressed = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, summary, [role=button]') !== null;

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(scrollY > SCROLLED);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return scrolled;
}
