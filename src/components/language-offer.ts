import { $language, chooseLanguage } from '../stores/shared/language.ts'
import { locale } from './painted.ts'

class LanguageOffer extends HTMLElement {
  connectedCallback(): void {
    const offer = this.querySelector<HTMLTemplateElement>(
      `[data-for="${CSS.escape($language.get())}"]`,
    )
    if (!offer) return
    this.replaceChildren(offer.content)
    this.onclick = ({ target }) => {
      const link = this.querySelector('a') as HTMLAnchorElement
      link.search = location.search
      if (!(target as Element).closest('button')) return
      chooseLanguage(locale)
      this.remove()
    }
  }
}

customElements.define('language-offer', LanguageOffer)
