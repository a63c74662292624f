// The key's dealer: branches, current settings and the capabilities of this account and key. Changed only in the panel.
import {
  AccountSettings,
  Branch,
  BranchDetail,
  Capabilities,
  pageOfBranches,
  readAccountSettings,
  readBranch,
  readCapabilities,
} from '../domain/accounts/account-view.ts';
import { type CallingKey, get, resource } from '../kit/endpoint.ts';
import { columnsOf, currency, integer, nullable, type Of, object, oneOf, text, timestamp, uuid } from '../kit/schema.ts';
import { own, sql } from '../kit/sql.ts';

const ApiKey = object({
  id: uuid(),
  name: text(),
  environment: oneOf(['production', 'sandbox']),
  prefix: text('gal_prod_ab12'),
  expires_at: nullable(timestamp()),
  limit_per_minute: integer(),
  limit_per_hour: nullable(integer()),
  limit_per_day: nullable(integer()),
  endpoint_count: integer(),
  allowed_ip_count: integer(),
});

const AccountFields = object({
  id: uuid(),
  name: text(),
  legal_name: nullable(text()),
  city: nullable(text()),
  country: oneOf(['KKTC', 'TR']),
  phone: nullable(text()),
  email: nullable(text()),
  default_currency: currency(),
  timezone: text('Asia/Famagusta'),
  locale: oneOf(['tr', 'en']),
  status: oneOf(['Aktif', 'Askıda']),
  created_at: timestamp(),
  updated_at: timestamp(),
});

const Account = object({ ...AccountFields.shape, api_key: ApiKey });

export const account = resource('Account', 'Hesap', [
  get('account', 'account:read', 'read', 'Aktif', ['Read the account', 'Hesap bilgilerini getir'], {
    about: [
      'Returns the dealer account of the key, and the key itself. A suspended account can still be read.',
      'Anahtarın ait olduğu galeri hesabı ve anahtarın kendi bilgileri. Askıya alınmış hesap da okunabilir.',
    ],
    returns: Account,
    run: async ({ db, key }) => ({
      ...(await db.last<Of<typeof AccountFields>>(sql`select ${columnsOf(AccountFields)} from ${own('accounts')}`)),
      api_key: shownKey(key),
    }),
  }),
  get('account/branches', 'account:read', 'read', 'Yakında', ['List branches', 'Şubeleri listele'], {
    about: ['Returns the branches of the dealership, the main branch first.', 'Galerinin şubeleri; önce ana şube.'],
    lists: Branch,
    run: ({ db, page }) => pageOfBranches(db, page),
  }),
  get(
    'account/branches/{branch_id}',
    'account:read',
    'read',
    'Yakında',
    ['Read a branch with its staff', 'Şubeyi ve çalışanlarını getir'],
    {
      about: [
        'Returns a branch and its staff. Phone numbers and e-mail addresses of staff are not included.',
        'Bir şube ve orada çalışanlar. Çalışanların telefonu ve e-postası gösterilmez.',
      ],
      returns: BranchDetail,
      run: ({ db, params }) => readBranch(db, params.branch_id),
    },
  ),
  get('account/settings', 'account:read', 'read', 'Yakında', ['Read the settings in force', 'Geçerli ayarları getir'], {
    about: [
      'Returns the settings of the account: currency, language, time zone, rate source, default validity of reservations, offers and documents, and reminder days. Settings can be changed in the panel only.',
      'Geçerli ayarlar: para birimi, dil, saat dilimi, kur kaynağı; rezervasyon, teklif ve belgelerin geçerlilik süreleri; müşterilere ne zaman hatırlatılacağı. Yalnızca panelden değiştirilir.',
    ],
    returns: AccountSettings,
    run: ({ db }) => readAccountSettings(db),
  }),
  get(
    'account/capabilities',
    'account:read',
    'read',
    'Yakında',
    ['Read what the account and key may do', 'Hesabın ve anahtarın yetkilerini getir'],
    {
      about: [
        'Returns the features of this account, the boost packages that it can buy, and the scopes and special authorizations of the key. Check it before you offer a feature to a user.',
        'Bu hesabın yapabilecekleri, satıştaki doping paketleri ve çağıran anahtarın kapsamları ve özel yetkileri. Kullanıcıya bir özellik sunmadan önce sorun.',
      ],
      returns: Capabilities,
      run: ({ db, key }) => readCapabilities(db, key),
    },
  ),
]);

const shownKey = ({ grants: _, endpoints: __, ...shown }: CallingKey): Of<typeof ApiKey> => shown;
