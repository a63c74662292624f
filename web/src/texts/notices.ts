import { plural, texts } from '../language.ts';

interface NewOwner {
  readonly by: string;
  readonly full_name: string;
  readonly email: string;
}

export const noticesTexts = texts({
  tr: {
    opened: (keys: string, endpoint: string) => `${keys} artık “${endpoint}” uç noktasını kullanabilir.`,
    closed: (keys: string, endpoint: string) => `“${endpoint}” geçici olarak kapatıldı: ${keys} bu uç noktayı artık kullanamaz.`,
    yourKey: (name: string) => `“${name}” anahtarınız`,
    yourKeys: (n: number) => `${n} anahtarınız`,
    approved: (key: string, n: string) => `“${key}” anahtarının limiti dakikada ${n} oldu.`,
    refused: (key: string, n: string) => `“${key}” için istenen dakikada ${n} limiti reddedildi.`,
    ownerProposed: ({ by, full_name, email }: NewOwner) =>
      `Platform yöneticisi ${by}, ${full_name} (${email}) kişisini hesabınıza sahip olarak eklemek istiyor.`,
    ownerInvited: ({ full_name, email }: NewOwner) => `${full_name} (${email}) hesabınıza sahip olarak davet edildi.`,
    rowsRequested: (by: string, key: string, n: number) =>
      `${by}, “${key}” anahtarı için rolünün yetkisini aşan ${n} uç nokta istiyor; onayınız gerekiyor.`,
    review: (keys: string) =>
      `Geliştiricilerin daha önce oluşturduğu bu anahtarlar, geliştirici rolünün panelde göremediği bilgilere erişiyor: ${keys}. Olduğu gibi çalışmayı sürdürürler; gerekmiyorsa kapsamlarını daraltın.`,
    reviewWebhooks: (webhooks: string) =>
      `Geliştiricilerin daha önce oluşturduğu ya da değiştirdiği bu webhook’lar, geliştirici rolünün panelde göremediği olayları gönderiyor: ${webhooks}. Olduğu gibi çalışmayı sürdürürler; gerekmiyorsa olaylarını azaltın.`,
    seen: 'Gördüm',
    note: (note: string) => `Not: ${note}`,
    show: 'İncele',
    read: 'Okundu olarak işaretle',
    more: (n: number) => `${n} bildirim daha`,
    fewer: 'Daha az göster',
  },
  en: {
    opened: (keys: string, endpoint: string) => `${keys} can now use “${endpoint}”.`,
    closed: (keys: string, endpoint: string) => `“${endpoint}” is closed for now: ${keys} can no longer use it.`,
    yourKey: (name: string) => `Your key “${name}”`,
    yourKeys: (n: number) => `Your ${plural(n, 'key', 'keys')}`,
    approved: (key: string, n: string) => `The limit of the key “${key}” is now ${n} a minute.`,
    refused: (key: string, n: string) => `The limit of ${n} a minute requested for “${key}” was rejected.`,
    ownerProposed: ({ by, full_name, email }: NewOwner) =>
      `The platform administrator ${by} wants to add ${full_name} (${email}) as an owner of your account.`,
    ownerInvited: ({ full_name, email }: NewOwner) => `${full_name} (${email}) was invited as an owner of your account.`,
    rowsRequested: (by: string, key: string, n: number) =>
      `${by} asks for ${plural(n, 'endpoint', 'endpoints')} of the key “${key}” beyond their role; you have to confirm.`,
    review: (keys: string) =>
      `These keys, made by developers before, reach data that the developer role cannot see in the panel: ${keys}. They keep working; narrow their scope where it is not needed.`,
    reviewWebhooks: (webhooks: string) =>
      `These webhooks, made or changed by developers before, deliver events that the developer role cannot see in the panel: ${webhooks}. They keep working; remove events that are not needed.`,
    seen: 'Seen',
    note: (note: string) => `Note: ${note}`,
    show: 'Review',
    read: 'Mark as read',
    more: (n: number) => `${plural(n, 'more notification', 'more notifications')}`,
    fewer: 'Show fewer',
  },
});
