// The dealer's plan with the platform: its limits, what of them is used, and its invoices.
import { get, resource } from '../kit/endpoint.ts';

export const membership = resource('Membership', 'Üyelik', [
  get('membership', 'membership:read', 'read', 'Yakında', ['Read the membership plan', 'Üyelik planını getir']),
  get('membership/usage', 'membership:read', 'read', 'Yakında', [
    'Read usage against plan limits',
    'Plan limitlerinin kullanımını getir',
  ]),
  get('membership/invoices', 'membership:read', 'read', 'Yakında', ['List membership invoices', 'Üyelik faturalarını listele']),
]);
