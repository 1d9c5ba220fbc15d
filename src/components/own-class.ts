import { $ownClass } from '../stores/shared/own-class.ts'
import { locale } from './painted.ts'

/** Leads to the class that this browser remembers; without a link, has it remember the class that it says. */
class OwnClass extends HTMLElement {
  connectedCallback(): void {
    const link = this.querySelector('a')
    if (!link) $ownClass.set(this.textContent)
    // The line of this page's language.
    const [, kept = ''] = `\n${$ownClass.get()}`.split(`\n${locale} `)
    const [, path, name] = /^(\/\w\S+) (.+)/.exec(kept) ?? []
    if (!link || !path || !name) return
    link.href = path
    link.textContent = name
  }
}

customElements.define('own-class', OwnClass)
