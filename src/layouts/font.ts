// Part of the paint script, which is below the style sheet and the fonts' preloads; the preloads
// wait for it.
import { FONT_KEY } from '../rules/storage-keys.ts'
import { attempt, root } from './remembered.ts'

const use = () => {
  root.dataset.font = ''
  attempt(() => (localStorage[FONT_KEY] = 1))
}

/**
 * Requests the files that a page in this language needs, all at once, since each that arrives
 * causes another layout.
 */
const load = () =>
  void document.fonts.load('1em Readex Pro', root.lang === 'ar' ? 'ا0a' : '0a').then(use, use)

/**
 * Shows the page in the site's font if this browser has had it before. Otherwise returns a function
 * that requests it, to be called once the text has been painted in a system font of the same width.
 */
export const showFont = (): (() => void) | undefined => {
  if (!attempt(() => localStorage[FONT_KEY])) return load
  use()
  for (const link of document.querySelectorAll<HTMLLinkElement>('[as=font]')) link.media = ''
  return
}
