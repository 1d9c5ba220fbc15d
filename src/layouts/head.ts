// Inlined into the head of the shop's pages by `virtual:karras/head`: decides before the first paint
// what the styles show to whom. Everything else waits for the page's script (`page.ts`).
import { FONT_KEY, OWNED_KEY, STATIC_CART_KEY, TOKEN_KEY } from '../rules/storage-keys.ts'

interface Connection {
  saveData: boolean
  effectiveType: string
  downlink: number
}

/** The speed (megabits per second) from which on prerendering an unopened page costs nobody. */
const FAST_MEGABITS = 5

const root = document.documentElement
const { connection } = navigator as { connection?: Connection }

const saved = (key: string): string | undefined => {
  try {
    return localStorage[key]
  } catch {
    return // storage is forbidden
  }
}

// Whether the token is still valid, the page's script finds out.
root.dataset.session = saved(TOKEN_KEY) ? 'in' : 'out'
root.dataset.owns = String(/\d/.test(saved(OWNED_KEY) ?? ''))
root.dataset.remembers = String(Boolean(saved(TOKEN_KEY) || saved(STATIC_CART_KEY)))

// Decides which pages are prefetched: see `i18n/speculation.ts`. Not every browser reports it.
const isFast = connection?.effectiveType === '4g' && connection.downlink >= FAST_MEGABITS
root.dataset.line = connection?.saveData ? 'saved' : isFast ? 'fast' : ''

// The site's font where this browser has it; `first-font.ts` gets it after a first visit's paint.
if (saved(FONT_KEY) && !connection?.saveData) {
  root.dataset.font = ''
  for (const link of document.querySelectorAll<HTMLLinkElement>('[as=font]')) link.media = ''
}

// Marks a control that is pressed before the page's script, which replaces this handler, can answer.
document.onclick = ({ target }) => {
  const control = target instanceof Element && target.closest('[data-do]')
  if (control) control.ariaBusy = 'true'
}
