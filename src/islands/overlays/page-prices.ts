import { bareAmount } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { finalPrice, isDiscounted, type Priced } from '../../rules/discount.ts'

/**
 * Writes a document's price of now into the page, which was rendered with an earlier one: into the
 * controls, where the next press reads it (`layouts/controls.ts`), and beside them (`PriceTag.astro`).
 * The percentage saved, which may be on the cover, is removed. `free` is the word for 0.
 */
export function writePrice(
  locale: Locale,
  { documentId, ...priced }: Priced & { documentId: number },
  free: string,
): void {
  const all = document.querySelectorAll<HTMLElement>(`[data-document="${documentId}"]`)
  for (const { dataset, parentElement } of all) {
    dataset.price = String(priced.price)
    delete dataset.discount
    if (isDiscounted(priced)) dataset.discount = String(priced.priceDiscount)
    const place = parentElement?.closest('li, aside')
    place?.querySelector('.badge[role=img]')?.remove()
    const tag = place?.querySelector('.price-tag')
    if (!tag) continue
    const isBig = tag.querySelector('.price--big') !== null
    const amount = finalPrice(priced)
    const now = priceElement('bdi', amount === 0 ? free : bareAmount(locale, amount))
    now.classList.toggle('price--free', amount === 0)
    now.classList.toggle('price--big', isBig)
    const old = isDiscounted(priced) && priceElement('s', bareAmount(locale, priced.price))
    if (old) old.classList.add('price--old')
    const line = document.createElement('p')
    line.className = 'price-tag'
    line.append(now, ...(old ? [' ', old] : []))
    tag.replaceWith(line)
  }
}

function priceElement(name: 'bdi' | 's', text: string): HTMLElement {
  const element = document.createElement(name)
  element.className = 'price'
  element.dir = 'auto'
  element.textContent = text
  return element
}
