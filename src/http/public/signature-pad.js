// A field on which a recipient signs with a finger, a pen or the mouse. Without this script the signature is typed.
for (const field of document.querySelectorAll('[data-signature]')) {
  const SVG = 'http://www.w3.org/2000/svg';
  const MAX_POINTS = 1200;
  const input = field.querySelector('input[name="drawn"]');
  const typed = document.querySelector('input[name="typed"]');
  const pad = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'path');
  pad.setAttribute('viewBox', '0 0 600 200');
  pad.setAttribute('role', 'img');
  pad.setAttribute('aria-label', field.dataset.label);
  pad.append(line);
  input.before(pad);
  field.hidden = false;
  typed.required = false;
  let isDown = false;
  let points = 0;
  let path = '';
  const place = (event) => {
    const box = pad.getBoundingClientRect();
    const of = (at, from, size, most) => Math.min(most, Math.max(0, Math.round(((at - from) / size) * most)));
    return `${of(event.clientX, box.left, box.width, 600)} ${of(event.clientY, box.top, box.height, 200)}`;
  };
  const add = (letter, event) => {
    if (points >= MAX_POINTS) return;
    points += 1;
    path += letter + place(event);
    line.setAttribute('d', path);
    input.value = path;
  };
  pad.addEventListener('pointerdown', (event) => {
    isDown = true;
    pad.setPointerCapture(event.pointerId);
    add('M', event);
    add('L', event);
    event.preventDefault();
  });
  pad.addEventListener('pointermove', (event) => {
    if (isDown) add('L', event);
  });
  for (const end of ['pointerup', 'pointercancel'])
    pad.addEventListener(end, () => {
      isDown = false;
    });
  field.querySelector('button').addEventListener('click', () => {
    path = '';
    points = 0;
    line.setAttribute('d', '');
    input.value = '';
  });
}
