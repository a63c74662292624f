// The dealer's "now" and "today": business time, which the server's test clock may have moved. Sessions, keys and calls go by real time.
let offset = 0;

export function setClockOffset(milliseconds: number): void {
  offset = milliseconds;
}

export const businessNow = (): Date => new Date(Date.now() + offset);
