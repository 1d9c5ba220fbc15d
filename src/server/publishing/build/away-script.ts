// The script of the page that a proxy sends while the shop does not listen (`away-page.ts`): shows
// the language of the address alone, and opens the wanted page once the shop is ready.
import { dirOf } from '../../../i18n/locales.ts'
import { splitPath } from '../../../i18n/paths.ts'
import { SECOND_MS } from '../../../rules/durations.ts'

const { locale } = splitPath(location.pathname)
const root = document.documentElement
root.lang = locale
root.dir = dirOf(locale)
for (const section of document.querySelectorAll<HTMLElement>('section')) {
  section.hidden = section.lang !== locale
  if (!section.hidden) document.title = section.querySelector('h1')?.textContent ?? ''
}

/** Asks every few seconds; at different moments, so that visitors do not all come back at once. */
const askLater = () => setTimeout(askReadiness, (1 + 2 * Math.random()) * SECOND_MS)

async function askReadiness(): Promise<void> {
  const status = await fetch('/readyz', { cache: 'no-store' }).then(
    (answer) => answer.status,
    () => 503,
  )
  // A proxy that hides the address answers with 404.
  if (status < 500) location.reload()
  else askLater()
}
askLater()
