// What the frame of every page does with script: it works without, only less politely.
import { rememberedLanguage } from './menus.ts'

// A payment comes back here: what floats over the page tells of it, and sleeps until somebody calls.
if (new URLSearchParams(location.search).has('payment')) {
  addEventListener('load', () => dispatchEvent(new Event('karras:wake')))
}

const { lang } = document.documentElement
const chosen = rememberedLanguage()
const offer = chosen !== lang && document.querySelector<HTMLElement>(`[data-offer="${chosen}"]`)
if (offer) {
  offer.hidden = false
  document.addEventListener('click', ({ target }) => {
    const choice = target instanceof Element && target.closest('[data-language]')
    // A link leads to the other language; the button is for those who stay.
    if (choice && !(choice instanceof HTMLAnchorElement)) offer.hidden = true
  })
}
