// Part of the paint script, which comes below the style sheet and the fonts' preloads: those wait for it.
import { FONT_KEY } from '../rules/storage-keys.ts'
import { attempt, root } from './remembered.ts'

const use = () => {
  root.dataset.font = ''
  attempt(() => (localStorage[FONT_KEY] = 1))
}

/** Requests the files that a page in this language needs, all at once: with each that comes, it is laid out again. */
const load = () =>
  void document.fonts.load('1em Readex Pro', root.lang === 'ar' ? 'ا0a' : '0a').then(use, use)

/**
 * Shows the page in the site's font where this browser has had it; else returns what requests it, for when the
 * text has been painted in one of the system's, which is as wide.
 */
export const showFont = (): (() => void) | undefined => {
  if (!attempt(() => localStorage[FONT_KEY])) return load
  use()
  for (const link of document.querySelectorAll<HTMLLinkElement>('[as=font]')) link.media = ''
  return
}
