/** +905331234567 → +90 533 123 45 67, as people write it; numbers of other countries as they are. */
export function phoneText(phone: string): string {
  const match = /^(\+90)(.{3})(.{3})(.{2})(.{2})$/.exec(phone);
  return match ? match.slice(1).join('\u00a0') : phone;
}
