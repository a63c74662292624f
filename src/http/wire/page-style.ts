/** Where the style of server-made pages is found; the panel's door serves it. */
export const PAGE_CSS_PATH = '/panel/giris.css';
