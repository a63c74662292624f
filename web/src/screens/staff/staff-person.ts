import type { StaffLine } from '../../../../src/panel/account/branches.ts';
import type { MemberLine } from '../../../../src/panel/account/members.ts';

/** A person of the list; `member` is their sign-in, where they have one and the reader may see it. */
export interface StaffPerson extends StaffLine {
  readonly member: MemberLine | null;
}
