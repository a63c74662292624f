/** The filters of the staff list, as they are in the address. */
export interface StaffSearch {
  readonly q?: string | undefined;
  readonly branch_id?: string | undefined;
  readonly role?: string | undefined;
  readonly active?: string | undefined;
  readonly limit?: string | undefined;
  readonly offset?: string | undefined;
}
