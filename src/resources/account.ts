// The dealer the key belongs to: branches, settings in force and what this account and key may do. Changed only in the panel.
import { get, resource } from '../kit/endpoint.ts';

export const account = resource('Account', 'Hesap', [
  get('account', 'account:read', 'read', 'Aktif', ['Read the account', 'Hesap bilgilerini getir']),
  get('account/branches', 'account:read', 'read', 'Yakında', ['List branches', 'Şubeleri listele']),
  get('account/branches/{branch_id}', 'account:read', 'read', 'Yakında', [
    'Read a branch with its staff',
    'Şubeyi ve personelini getir',
  ]),
  get('account/settings', 'account:read', 'read', 'Yakında', ['Read the settings in force', 'Geçerli ayarları getir']),
  get('account/capabilities', 'account:read', 'read', 'Yakında', [
    'Read what the account and key may do',
    'Hesabın ve anahtarın yetkilerini getir',
  ]),
]);
