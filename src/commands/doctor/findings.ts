// What a check of `galeri doctor` reports.

export type Status = 'ok' | 'warning' | 'broken' | 'skipped';

export interface Finding {
  readonly name: string;
  readonly status: Status;
  /** One line: what was found, and what to do about it. */
  readonly detail: string;
}

type Found = Omit<Finding, 'name'>;

export const ok = (detail: string): Found => ({ status: 'ok', detail });
export const warning = (detail: string): Found => ({ status: 'warning', detail });
export const broken = (detail: string): Found => ({ status: 'broken', detail });
export const skipped = (detail: string): Found => ({ status: 'skipped', detail });

/** A check that fails itself is a finding too: the others still run. */
export async function check(name: string, look: () => Promise<Found> | Found): Promise<Finding> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return { name, ...broken(oneLine(error)) };
  }
}

export const oneLine = (error: unknown): string => ((error as Error).message || String(error)).split('\n')[0]!;
