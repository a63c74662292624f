// Several records by id, for what a screen shows beside a list.
import { isUuid } from '../../kit/ids.ts';
import type { Param } from '../../kit/params.ts';

const MAX_IDS = 100;
export const idsParam: Param<string[]> = {
  allowed: { en: `1 to ${MAX_IDS} ids, separated by commas`, tr: `virgülle ayrılmış 1–${MAX_IDS} kimlik` },
  schema: { type: 'string' },
  read: (text) => {
    // In one spelling, so that an id cannot be repeated in small and capital letters.
    const ids = [...new Set(text.toLowerCase().split(','))];
    return ids.length <= MAX_IDS && ids.every(isUuid) ? ids : undefined;
  },
};
