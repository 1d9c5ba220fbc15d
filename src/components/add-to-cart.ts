import { pathIn } from '../i18n/paths.ts'
import { has } from '../rules/cart.ts'
import { type Act, isPurchase } from '../rules/taps.ts'
import { $cart } from '../stores/cart/cart.ts'
import { answerTap, askForDownload } from '../stores/purchase/shopping.ts'
import { callOverlays } from '../stores/shared/dialogs.ts'
import { announceProblem } from '../stores/shared/notices.ts'
import { $orderedDocuments, $ownedIds, $wishedIds } from '../stores/user-data/user-data.ts'
import { locale, Painted, root } from './painted.ts'

/** What a document is to the visitor; decides which of its controls are shown. */
function stateOf(documentId: number): 'owned' | 'ordered' | 'cart' | '' {
  // A document that has been paid for since is owned, no longer on order.
  if ($ownedIds.get()?.includes(documentId)) return 'owned'
  if ($orderedDocuments.get()?.[documentId]) return 'ordered'
  return has($cart.get(), documentId) ? 'cart' : ''
}

/** Shows what the document is to the visitor, and answers presses; the stores do what they mean. */
class AddToCart extends Painted {
  readonly stores = [$cart, $ownedIds, $orderedDocuments, $wishedIds]
  readonly #documentId = Number(this.dataset.document)

  override connectedCallback(): void {
    super.connectedCallback()
    this.onclick = ({ target, detail }) => {
      const control = (target as Element).closest<HTMLElement>('[data-do]')
      // The second click of a double click would open the cart, or take the wish back.
      if (control && !control.ariaBusy && detail < 2) void this.#press(control)
    }
  }

  paint(): void {
    const id = this.#documentId
    const isWished = $wishedIds.get()?.includes(id) ?? false
    this.querySelector('.heart')?.setAttribute('aria-pressed', String(isWished))
    const { state: was = '' } = this.dataset
    const state = stateOf(id)
    this.dataset.state = state
    if (state === was) return
    const model = document
      .querySelector<HTMLTemplateElement>('#add-to-cart')
      ?.content.querySelector(`[data-when="${state}"]`)
      ?.cloneNode(true) as Element | undefined
    if (!model) return
    if (state !== 'owned') {
      const button = this.querySelector('[data-do=add]') as Element
      button.className = model.className
      button.replaceChildren(...model.childNodes, this.#title)
    } else if (!this.querySelector('.when-owned')) {
      for (const each of model.children) each.append(this.#title.cloneNode(true))
      this.prepend(model)
    }
  }

  /** The document's title, at the end of each control for screen readers. */
  get #title(): Element {
    return this.querySelector('[data-do=add] > .visually-hidden') as Element
  }

  async #press(control: HTMLElement): Promise<void> {
    const act = control.dataset.do as Act
    // The prices of a kept copy may be outdated.
    if (isPurchase(act) && 'kept' in root.dataset) return
    const { price, discount, subject, color, picture } = this.dataset
    const item = {
      documentId: this.#documentId,
      title: this.#title.textContent.trim(),
      price: Number(price),
      priceDiscount: discount ? Number(discount) : undefined,
      subject,
      color,
      picture,
    }
    const answer = answerTap({ act, item, isOnDetails: this.matches('.add-to-cart--details') })
    if (answer === 'open-cart') return location.assign(pathIn(locale, '/checkout'))
    if (['buy', 'read', 'download'].includes(answer)) {
      control.ariaBusy = 'true'
      await callOverlays().catch(() => announceProblem('not_loaded'))
      control.ariaBusy = null
    }
    // Busy again until the browser has it.
    if (answer === 'download') askForDownload({ item, control })
  }
}

customElements.define('add-to-cart', AddToCart)
