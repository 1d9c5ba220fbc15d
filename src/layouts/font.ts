// Part of the paint script, which comes below the style sheet and the fonts' preloads: those wait for it.
import { FONT_KEY } from '../rules/storage-keys.ts'
import { attempt, root } from './remembered.ts'

const use = () => {
  root.dataset.font = ''
  attempt(() => (localStorage[FONT_KEY] = 1))
}

/** Requests the files that a page in this language needs, all at once: with each that comes, it is laid out again. */
const load = () => document.fonts.load('1em Readex Pro', root.lang === 'ar' ? 'ا0a' : '0a')

/**
 * Shows the page in the site's font. On a line that is slow as far as the browser knows, a first page shows its
 * text in one of the system's, which is as wide, and requests the font once all of the page is there.
 */
export const showFont = (isSlow: unknown) => {
  if (isSlow && !attempt(() => localStorage[FONT_KEY])) {
    addEventListener('readystatechange', () => load().then(use, use), { capture: true, once: true })
  } else {
    use()
    for (const link of document.querySelectorAll<HTMLLinkElement>('[as=font]')) link.media = ''
  }
}
