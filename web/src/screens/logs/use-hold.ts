// When the live view is paused: while the pointer is over it, while it is scrolled down, and by Space or its button.
import { useEffect, useState } from 'react';
import { isTakenElsewhere } from '../../parts/table/row-keys.ts';

export interface Hold {
  readonly held: boolean;
  /** Paused by Space or the button, until pressed again. */
  readonly byHand: boolean;
  toggle(): void;
  /** Scrolls to the top and continues. */
  release(): void;
  /** Event handlers for the element around the rows. */
  readonly area: { onPointerEnter(event: { pointerType: string }): void; onPointerLeave(): void };
}

/** Beyond this many pixels the person is reading further down, so rows must not move. */
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

/** Space on a focused button presses it, so it is ignored there. */
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
