import { chooseLanguage } from '../stores/shared/language.ts'

/** A scroll still running at the tap moves the page slightly further; it must not close a menu. */
const DELIBERATE_SCROLL_PX = 8

/**
 * The list of a menu: a press elsewhere, a scroll or Escape closes the `<details>` around it. A link to
 * the page in another language keeps the query, and is remembered as the visitor's choice.
 */
class MenuList extends HTMLElement {
  connectedCallback(): void {
    const menu = this.parentElement as HTMLDetailsElement
    /** Where the page was at the last tap. */
    let heldAt = 0
    // Captured, since other scripts may stop the event.
    addEventListener(
      'click',
      ({ target }) => {
        heldAt = scrollY
        if (!menu.contains(target as Node)) menu.open = false
      },
      true,
    )
    this.onclick = ({ target }) => {
      const link = (target as Element).closest('a')
      if (!link?.lang) return
      // The shop's filters may have changed the URL since the page was rendered.
      link.search = location.search
      chooseLanguage(link.lang)
    }
    addEventListener('scroll', () => {
      if (Math.abs(scrollY - heldAt) > DELIBERATE_SCROLL_PX) menu.open = false
    })
    addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || !menu.open) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
  }
}

customElements.define('menu-list', MenuList)
