// A link to a photo or a video that lies elsewhere. It is kept as text and never fetched; whoever opens it does so in a browser.
import { allowedUrl } from '../net/outbound.ts';
import { type Field, Refused, textField } from '../records/fields.ts';

const allowed = { en: 'a public https address', tr: 'herkese açık bir https adresi' };
const text = textField(2000);

/** As given: what was stored is what comes back. Browsers forgive what is written oddly, so it must be written plainly. */
export const linkField: Field<string> = {
  ...text,
  schema: { type: 'string', format: 'uri', pattern: '^https://', maxLength: 2000 },
  read: (value, context) => {
    const link = text.read(value, context);
    if (link instanceof Refused) return link;
    const isPlain = /^https:\/\/[^\s\\"'<>`]+$/i.test(link) && allowedUrl(link, { loopback: false }) !== null;
    return isPlain ? link : new Refused('invalid', allowed);
  },
};
