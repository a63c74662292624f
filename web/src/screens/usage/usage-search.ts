/** The filters of the usage screen, as they are in the address. */
export interface UsageSearch {
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly key?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly group?: string | undefined;
}
