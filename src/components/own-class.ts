import { $ownClass } from '../stores/shared/own-class.ts'
import { locale } from './painted.ts'

/**
 * Leads to the class that this browser remembers, in the week of its tests to these; without a link, has it
 * remember the class that it says.
 */
class OwnClass extends HTMLElement {
  connectedCallback(): void {
    const link = this.querySelector('a')
    // The line of this page's language; none is read as the word undefined, which is no path.
    const kept = `\n${$ownClass.get()}`.split(`\n${locale} `)[1] as string
    const [, path, name] = /^(\/\w\S+) (.+)/.exec(kept) ?? []
    if (!link) $ownClass.set(this.textContent)
    else if (path) {
      link.href = path
      link.textContent = name as string
      // Every page has this script, so it is written to be small.
      if (this.dataset.tested?.includes(`${path} `)) {
        link.hash = '#week'
        link.textContent = this.dataset.text as string
      }
    }
  }
}

customElements.define('own-class', OwnClass)
