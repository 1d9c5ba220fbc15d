import { createHash } from 'node:crypto'
import { dirOf, type Locale } from '../../i18n/locales.ts'
import { SITE } from '../../site.ts'

// The tokens of src/styles/tokens.css, as far as these two pages need them.
const STYLE = [
  ':root{--paper:#fdfcf8;--raised:#fff;--sunken:#f5f2ea;--ink:#1b2440;--soft:#4b5573;--rule:#c9cdea;--margin:#d6455d;--pen:#2440a8;--on-pen:#fff;--wallet:#13694c;--sale:#b3263f;--marker:#ffdf6b;color-scheme:light dark}',
  '@media(prefers-color-scheme:dark){:root{--paper:#14171f;--raised:#1c212c;--sunken:#0f1218;--ink:#eceef5;--soft:#b4bbd0;--rule:#2d3450;--margin:#f0788c;--pen:#8fa6ff;--on-pen:#14171f;--wallet:#5ecb9c;--sale:#ff8a9d}}',
  '*{box-sizing:border-box}',
  'body{margin:0;min-block-size:100vh;background:var(--paper);color:var(--ink);font:16px/1.7 "Readex Pro",Tahoma,system-ui,sans-serif}',
  'main{max-inline-size:560px;margin:0 auto;padding:24px 16px 48px}',
  '.brand{margin:0 0 16px;font-weight:700;font-size:22px;color:var(--pen);text-decoration:none;display:inline-block}',
  '.sheet{background:var(--raised);border:1px solid var(--rule);border-inline-start:4px solid var(--margin);border-radius:10px;padding:24px 20px}',
  '.banner{margin:0 0 16px;padding:10px 14px;border:2px dashed var(--sale);border-radius:10px;color:var(--sale);font-weight:700}',
  'h1{margin:0 0 8px;font-size:22px;line-height:1.4}h2{margin:24px 0 8px;font-size:18px}',
  'p{margin:0 0 12px}.soft{color:var(--soft);font-size:14px}',
  'dl{margin:16px 0;display:grid;gap:12px}dl>div{display:grid;grid-template-columns:1fr auto;gap:0 12px;align-items:center;padding-block-end:12px;border-block-end:1px solid var(--rule)}',
  'dt{color:var(--soft);font-size:14px;grid-column:1}dd{margin:0;font-weight:600;font-size:18px;grid-column:1;overflow-wrap:anywhere}dl button{grid-column:2;grid-row:1/span 2}',
  'form{display:grid;gap:12px;margin:16px 0}',
  'button,.button{min-block-size:44px;padding:8px 18px;border-radius:4px;border:1px solid var(--pen);background:transparent;color:var(--pen);font:inherit;font-weight:600;cursor:pointer;text-decoration:none;display:inline-flex;align-items:center;justify-content:center}',
  '.primary{background:var(--pen);color:var(--on-pen)}',
  ':focus-visible{outline:3px solid var(--marker);outline-offset:2px;box-shadow:0 0 0 2px var(--ink)}',
  'ol{margin:0 0 12px;padding-inline-start:22px}a{color:var(--pen)}',
  '.actions{display:flex;flex-wrap:wrap;gap:12px;margin-block-start:20px}',
].join('')

/** Copies what a button names; without it, the texts can be marked and copied by hand. */
const SCRIPT =
  'addEventListener("click",async e=>{const b=e.target.closest("[data-copy]");if(!b)return;try{await navigator.clipboard.writeText(b.dataset.copy)}catch{return}document.getElementById("said").textContent=b.dataset.copied;b.textContent=b.dataset.copied})'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** One style and one script by their hashes; forms go to this shop alone. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** A page of the backend in the shop's look; `body` is HTML whose values are escaped. */
export function paymentPage(locale: Locale, title: string, body: string): string {
  return `<!doctype html>
<html lang="${locale}" dir="${dirOf(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)} · ${SITE.name[locale]}</title><style>${STYLE}</style></head>
<body><main><p class="brand">${SITE.name[locale]}</p>
${body}
<p id="said" role="status" class="soft"></p></main><script>${SCRIPT}</script></body></html>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
