import { priceParts } from '../i18n/format.ts'
import { $cart } from '../stores/cart/cart.ts'
import { $savedBalance, $savedName } from '../stores/user-data/user-data.ts'
import { locale, Painted } from './painted.ts'

/** Null leaves the text as it is. */
const TEXTS: Record<string, () => string | null> = {
  cart: () => String($cart.get().items.length || ''),
  balance() {
    const balance = $savedBalance.get()
    return balance === null ? '' : priceParts(locale, balance).number
  },
  name: () => $savedName.get() || null,
}

class VisitorText extends Painted {
  readonly stores = [$cart, $savedBalance, $savedName]

  paint(): void {
    const text = TEXTS[this.getAttribute('of') ?? '']?.() ?? this.textContent
    // The same text again would be announced again.
    if (this.textContent !== text) this.textContent = text
  }
}

customElements.define('visitor-text', VisitorText)
