// The page after a paper that was confirmed by link: who, when, from where, with which code, and the hash of the file they saw.
import type { Pdf } from '../../formats/pdf.ts';
import type { SigningEvidence } from '../paper.ts';
import { facts, paragraph, section, title } from './paper-layout.ts';

export function drawEvidence(pdf: Pdf, evidence: SigningEvidence): void {
  pdf.newPage();
  title(pdf, 'ONAY SAYFASI');
  paragraph(pdf, 'Bu sayfa, önceki sayfalardaki belgenin bağlantı ve tek kullanımlık kod ile onaylandığını gösterir.');
  facts(
    pdf,
    [
      ['Belge', evidence.document_id],
      ['Belgenin özeti (SHA-256)', evidence.sha256],
      ['Onay cümlesi', evidence.consent],
    ],
    { columns: 1 },
  );
  for (const signer of evidence.signers) {
    section(pdf, `${signer.role}: ${signer.name}`);
    facts(
      pdf,
      [
        ['Onay zamanı', signer.signed_at],
        ['Onayın türü', signer.method],
        ...signer.codes.map((code, index): [string, string] => [`Kod ${index + 1}`, code]),
        ['Ağ adresi', signer.address],
        ['Tarayıcı', signer.user_agent ?? '–'],
      ],
      { columns: 1, size: 8.5 },
    );
  }
}
