// When the first screen is complete. What is not seen at first is fetched then, so that it does not delay what is.
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { queryClient } from './query-client.ts';

const LOOK_MS = 100;
/** Between the session and the first request of a screen nothing is fetched for a moment. */
const QUIET_LOOKS = 3;
/** A request that waits for the person, such as one that needs the password, must not keep the dialog's code away. */
const MAX_LOOKS = 40;

let isSettled = false;
export const settled = new Promise<void>((resolve) => {
  if (globalThis.document === undefined) return;
  let looks = 0;
  let quiet = 0;
  const look = () => {
    looks += 1;
    quiet = document.readyState === 'complete' && queryClient.isFetching() === 0 ? quiet + 1 : 0;
    if (quiet === QUIET_LOOKS || looks === MAX_LOOKS) resolve();
    else setTimeout(look, LOOK_MS);
  };
  look();
  // Someone who acts needs the rest now.
  for (const act of ['pointerdown', 'keydown']) addEventListener(act, () => resolve(), { once: true, capture: true });
}).then(() => {
  isSettled = true;
});

export function useSettled(): boolean {
  const [is, setIs] = useState(isSettled);
  useEffect(() => {
    let isOpen = true;
    settled.then(() => isOpen && setIs(true));
    return () => {
      isOpen = false;
    };
  }, []);
  return is;
}

/** What is below the first view: its code and data are fetched after the rest. `place` is shown until then. */
export function Later({ children, place = null }: { readonly children: ReactNode; readonly place?: ReactNode }) {
  return useSettled() ? <Suspense fallback={place}>{children}</Suspense> : place;
}
