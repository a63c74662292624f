import mark from '../style/mark.svg';

export function WordMark({ short = false }: { readonly short?: boolean }) {
  return (
    <span className="flex items-center gap-2.5">
      <img src={mark} alt={short ? 'Galeri' : ''} width={26} height={26} />
      {!short && <span className="text-16 font-semibold tracking-tight text-text">Galeri</span>}
    </span>
  );
}
