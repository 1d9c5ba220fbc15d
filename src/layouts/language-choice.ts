// Runs in the head of the shop's and the office's pages, so that no press on a language comes before
// it: keeps the page's query, and remembers the language.
import { LANGUAGE_KEY } from '../rules/storage-keys.ts'
import { attempt } from './remembered.ts'

addEventListener(
  'click',
  ({ target }) => {
    const choice = (target as Element).closest?.<HTMLAnchorElement>('[data-language]')
    if (!choice) return
    // The shop's filters may have changed the URL since the page was rendered.
    choice.search = location.search
    attempt(() => (localStorage[LANGUAGE_KEY] = choice.dataset.language))
  },
  true,
)
