// Who may have a live view open. The number is limited, so a person with many views loses one to a newcomer without any.

export interface LiveView {
  readonly session: string;
  readonly person: string;
  /** Null for an administrator outside any account, who is counted by person. */
  readonly account: string | null;
}

export interface ViewLimits {
  readonly session: number;
  readonly person: number;
  readonly account: number;
  readonly process: number;
}

export const VIEW_LIMITS: ViewLimits = { session: 5, person: 10, account: 50, process: 1000 };

const accountOf = (view: LiveView): string => view.account ?? view.person;

/**
 * Decides about one more view: `null` if it fits, the view that has to end for it (`open` is oldest first), or `full`. No one
 * gets more than their share; within it, the account with most views gives one up, and in it the person with most, as long as
 * they are left with no fewer than the newcomer.
 */
export function roomFor<V extends LiveView>(open: readonly V[], coming: LiveView, limits = VIEW_LIMITS): V | null | 'full' {
  const ofPerson = open.filter((view) => view.person === coming.person);
  if (ofPerson.filter((view) => view.session === coming.session).length >= limits.session) return 'full';
  if (ofPerson.length >= limits.person) return 'full';
  const ofAccount = open.filter((view) => accountOf(view) === accountOf(coming));
  if (ofAccount.length >= limits.account) return oldestOfLargest(ofAccount, (view) => view.person, ofPerson.length + 1) ?? 'full';
  if (open.length < limits.process) return null;
  const greedy = oldestOfLargest(open, accountOf, ofAccount.length + 1);
  if (greedy === null) return oldestOfLargest(ofAccount, (view) => view.person, ofPerson.length + 1) ?? 'full';
  return oldestOfLargest(
    open.filter((view) => accountOf(view) === accountOf(greedy)),
    (view) => view.person,
    0,
  )!;
}

/** The oldest view of the largest group, if it has more than `than` views. */
function oldestOfLargest<V>(views: readonly V[], groupOf: (view: V) => string, than: number): V | null {
  const groups = [...Map.groupBy(views, groupOf).values()];
  const largest = groups.reduce<V[]>((one, other) => (other.length > one.length ? other : one), []);
  return largest.length > than ? largest[0]! : null;
}
