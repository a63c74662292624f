// The page after a paper that was confirmed by link: who, when, from where, with which code, and the hash of the file they saw.
import type { Pdf } from '../../formats/pdf.ts';
import { SIGNATURE_FIELD, type Signature, type SigningEvidence } from '../paper.ts';
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
    if (signer.signature) drawSignature(pdf, signer.signature, signer.name);
  }
}

const SCALE = 0.3;

function drawSignature(pdf: Pdf, signature: Signature, name: string): void {
  if ('typed' in signature) {
    facts(pdf, [['İmza (yazılarak)', signature.typed]], { columns: 1, size: 8.5 });
    return;
  }
  pdf.room(SIGNATURE_FIELD.height * SCALE + 24);
  pdf.text('P', 'İmza (çizilerek)', { size: 7.5, grey: 0.4 });
  const place = { x: pdf.left, y: pdf.y + 2, size: SCALE };
  pdf.frame(place.x, place.y, SIGNATURE_FIELD.width * SCALE, SIGNATURE_FIELD.height * SCALE);
  pdf.strokes(signature.drawn, place, `İmza: ${name}`);
  pdf.y = place.y + SIGNATURE_FIELD.height * SCALE + 8;
}
