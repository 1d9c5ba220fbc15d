// Part of the paint script, which comes below the style sheet and the fonts' preloads: those wait
// for it.
import { FONT_KEY } from '../rules/storage-keys.ts'
import { attempt, root } from './remembered.ts'

/**
 * Shows the page in the site's font where this browser has it. A first visit is painted in one of
 * the system's, which is as wide: see `first-font.ts`.
 */
export const showFont = () => {
  if (!attempt(() => localStorage[FONT_KEY])) return
  root.dataset.font = ''
  for (const link of document.querySelectorAll<HTMLLinkElement>('[as=font]')) link.media = ''
}
