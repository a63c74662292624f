// KVKK aydınlatma metni: who stores a customer's data, why, for how long, and the customer's rights.
import type { Pdf, Runs } from '../../formats/pdf.ts';
import type { PrivacyNotice } from '../paper.ts';
import { day, phoneOf } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { A4, ending, facts, letterhead, numbered, ownClauses, paragraph, section, title } from './paper-layout.ts';

const LAW = {
  TR: '6698 sayılı Kişisel Verilerin Korunması Kanunu',
  KKTC: '89/2007 sayılı Kişisel Verilerin Korunması Yasası',
} as const;

const b = (bold: string) => ({ bold });

const TEXT: readonly Runs[] = [
  [
    b('İşlenen veriler. '),
    'Kimlik (ad, soyad, kimlik ya da pasaport numarası, doğum tarihi), iletişim (telefon, e-posta, adres), finans (satış, taksit, ödeme, senet, kefalet ve gelir bilgileri) ve varsa kimlik, ehliyet ve ruhsat örnekleri.',
  ],
  [
    b('Amaçlar. '),
    'Satış sözleşmesinin kurulması ve ifası, taksitlerin ve ödemelerin takibi, senet ve kefalet işlemleri, faturalama, hatırlatma ve bildirimler, yasal yükümlülüklerin yerine getirilmesi ve uyuşmazlıklarda hakkın korunması.',
  ],
  [
    b('Hukuki sebepler ve toplama yöntemi. '),
    'Veriler sizden sözlü, yazılı ya da elektronik yolla, sözleşmenin kurulması ve ifası, hukuki yükümlülük, bir hakkın tesisi, kullanılması veya korunması ve meşru menfaat sebeplerine dayanarak toplanır.',
  ],
  [
    b('Aktarım. '),
    'Veriler yalnız gerektiği ölçüde noter, tapu ve trafik tescil kurumlarına, bankalara, sigorta şirketlerine, avukatlara, mali müşavirlere, yetkili kamu kurumlarına ve bu kayıtların tutulduğu hizmet sağlayıcılara aktarılır.',
  ],
  [
    b('Saklama. '),
    'Veriler, satışın tamamlanmasından sonra kanunların öngördüğü saklama ve zamanaşımı süreleri boyunca tutulur, sonra silinir ya da anonim hâle getirilir.',
  ],
  [
    b('Haklarınız. '),
    'Verilerinizin işlenip işlenmediğini öğrenme, bilgi isteme, amacına uygun kullanılıp kullanılmadığını ve aktarıldığı kişileri öğrenme, düzeltilmesini, silinmesini ve bunların aktarılan kişilere bildirilmesini isteme, otomatik analizle aleyhinize çıkan sonuca itiraz etme ve kanuna aykırı işleme yüzünden uğradığınız zararın giderilmesini isteme haklarına sahipsiniz.',
  ],
];

function draw(pdf: Pdf, paper: PrivacyNotice): void {
  const { head, customer, sale_no } = paper;
  letterhead(pdf, head, [...(sale_no === null ? [] : [['Satış no', sale_no] as const]), ['Tarih', day(paper.day)]]);
  title(pdf, 'KİŞİSEL VERİLERİN İŞLENMESİNE İLİŞKİN AYDINLATMA METNİ', 13);
  section(pdf, 'Veri sorumlusu');
  facts(pdf, [
    ['Unvan', head.legal_name],
    ['Telefon', phoneOf(head)],
    ['Adres', [head.address, head.city].filter(Boolean).join(', ') || null],
    ['E-posta', head.email],
  ]);
  paragraph(pdf, `Bu metin, ${LAW[paper.country]} uyarınca verilerinizin nasıl işlendiği konusunda sizi bilgilendirmek içindir.`);
  const texts = [
    ...numbered(TEXT),
    { runs: 'Başvurularınızı yukarıdaki adrese yazılı olarak ya da kayıtlı e-posta adresinizden iletebilirsiniz.' },
    ...ownClauses(paper.clauses),
    { runs: 'Aydınlatma metnini okudum ve bilgilendirildim.' },
  ];
  const role = customer.kind === 'Kurumsal' ? 'İlgili kişi (temsilci)' : 'İlgili kişi';
  ending(pdf, texts, { signers: [{ role, name: customer.representative ?? customer.name }], country: paper.country });
}

export const privacyTemplate: Template<PrivacyNotice> = { name: 'KVKK aydınlatma metni', size: () => A4, hasFooter: true, draw };
