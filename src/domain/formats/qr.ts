// QR codes as a square of dark and light fields, the quiet border included.
import { encode } from 'uqr';

export const qrFields = (text: string): readonly (readonly boolean[])[] => encode(text, { ecc: 'M', border: 2 }).data;
