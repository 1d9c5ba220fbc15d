import { bareAmount } from '../i18n/format.ts'
import type { Locale } from '../i18n/locales.ts'
import type { Priced } from '../rules/discount.ts'
import { priceOf } from './document-price.ts'

/**
 * Writes a document's current price into the page, which was rendered with an earlier one: into the
 * controls, where the next press reads it (`add-to-cart.ts`), and beside them, as `PriceTag.astro`
 * does. The percentage saved, which may be on the cover, is removed. `free` is the word for 0.
 */
export function writePrice(
  locale: Locale,
  { documentId, ...priced }: Priced & { documentId: number },
  free: string,
): void {
  const { now, old } = priceOf(priced)
  const all = document.querySelectorAll<HTMLElement>(`add-to-cart[data-document="${documentId}"]`)
  for (const { dataset, parentElement } of all) {
    dataset.price = String(priced.price)
    delete dataset.discount
    if (old !== null) dataset.discount = String(priced.priceDiscount)
    const place = parentElement?.closest('li, aside')
    place?.querySelector('.badge[role=img]')?.remove()
    const tag = place?.querySelector('.price-tag')
    if (!tag) continue
    const line = document.createElement('p')
    line.className = 'price-tag'
    const big = tag.querySelector('.price--big') ? ' price--big' : ''
    const text = now === 0 ? free : bareAmount(locale, now)
    line.append(priceElement('bdi', `price${now === 0 ? ' price--free' : ''}${big}`, text))
    if (old !== null) {
      line.append(' ', priceElement('s', 'price price--old', bareAmount(locale, old)))
    }
    tag.replaceWith(line)
  }
}

function priceElement(name: 'bdi' | 's', className: string, text: string): HTMLElement {
  const element = document.createElement(name)
  return Object.assign(element, { className, dir: 'auto', textContent: text })
}
