import { fillText, formatDate, priceText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Millimes } from '../../rules/money.ts'
import { readableReference } from '../../rules/payment-reference.ts'
import { SITE } from '../../site.ts'
import { escapeHtml, paymentPage } from './page-frame.ts'
import { paymentTexts } from './payment-texts.ts'
import type { Payment } from './payments.ts'

interface SandboxView {
  readonly reference: string
  readonly amount: Millimes
  readonly status: string
  readonly locale: Locale
  readonly success_url: string
}

/** The test gateway: says that no money moves, and asks what shall have happened. */
export function sandboxPage({
  reference,
  amount,
  status,
  locale,
  success_url,
}: SandboxView): string {
  const texts = paymentTexts(locale).sandbox
  const button = (choice: 'pay' | 'refuse' | 'later', look = '') =>
    `<button ${look} name="choice" value="${choice}">${escapeHtml(texts[choice])}</button>`
  const choices =
    status === 'paid'
      ? `<p>${escapeHtml(texts.paid)}</p><p><a class="button primary" href="${escapeHtml(success_url)}">${escapeHtml(texts.back)}</a></p>`
      : `<form method="post" action="/api/payments/sandbox/${escapeHtml(reference)}">
${button('pay', 'class="primary"')}${button('refuse')}${button('later')}
</form><p class="soft">${escapeHtml(texts.laterNote)}</p>`
  return paymentPage(
    locale,
    texts.title,
    `<p class="banner">${escapeHtml(texts.banner)}</p>
<div class="sheet"><h1>${escapeHtml(texts.title)}</h1><p>${escapeHtml(texts.text)}</p>
<dl><div><dt>${escapeHtml(texts.amount)}</dt><dd>${priceText(locale, amount)}</dd></div></dl>
${choices}</div>`,
  )
}

/** Where the money of a bank transfer or a D17 payment is sent, and what happens then. */
export function transferPage(payment: Payment): string {
  const { locale, method, status, amount } = payment
  const texts = paymentTexts(locale).transfer
  const title = method === 'd17' ? texts.d17 : texts.bank_transfer
  const row = (name: string, shown: string, copied = shown) =>
    `<div><dt>${escapeHtml(name)}</dt><dd><bdi dir="ltr">${escapeHtml(shown)}</bdi></dd><button type="button" data-copy="${escapeHtml(copied)}" data-copied="${escapeHtml(texts.copied)}" aria-label="${escapeHtml(`${texts.copy}: ${name}`)}">${escapeHtml(texts.copy)}</button></div>`
  const to =
    method === 'd17'
      ? [row(texts.phone, SITE.d17.phone), row(texts.holder, SITE.d17.holder)]
      : [
          `<div><dt>${escapeHtml(texts.bank)}</dt><dd>${escapeHtml(SITE.bank.name[locale])}</dd></div>`,
          row(texts.holder, SITE.bank.holder),
          row(texts.rib, SITE.bank.rib, SITE.bank.rib.replace(/\s/g, '')),
          row(texts.iban, SITE.bank.iban, SITE.bank.iban.replace(/\s/g, '')),
        ]
  const dinars = (amount / 1000).toFixed(3)
  const until = fillText(texts.until, {
    date: `\u2068${formatDate(locale, payment.expires_at.toISOString())}\u2069`,
  })
  const open = `<p>${escapeHtml(texts.text)}</p>
<dl><div><dt>${escapeHtml(texts.amount)}</dt><dd>${priceText(locale, amount)}</dd><button type="button" data-copy="${dinars}" data-copied="${escapeHtml(texts.copied)}" aria-label="${escapeHtml(`${texts.copy}: ${texts.amount}`)}">${escapeHtml(texts.copy)}</button></div>
${row(texts.reference, readableReference(payment.reference))}
${to.join('\n')}</dl>
<p class="soft">${escapeHtml(texts.referenceNote)}</p>
<h2>${escapeHtml(texts.nextTitle)}</h2>
<ol>${texts.next.map((step) => `<li>${escapeHtml(step)}</li>`).join('')}</ol>
<p class="soft">${escapeHtml(until)}</p>`
  const body = status === 'pending' ? open : `<p role="status">${escapeHtml(texts[status])}</p>`
  const isOrder = payment.purpose === 'order'
  const back = isOrder ? pathIn(locale, '/my-documents') : payment.return_to
  return paymentPage(
    locale,
    title,
    `<div class="sheet"><h1>${escapeHtml(title)}</h1>${body}
<p class="actions"><a class="button primary" href="${escapeHtml(back)}">${escapeHtml(isOrder ? texts.documents : texts.back)}</a></p></div>`,
  )
}

/** An address that leads to no payment. */
export function unknownPage(locale: Locale): string {
  const texts = paymentTexts(locale).unknown
  return paymentPage(
    locale,
    texts.title,
    `<div class="sheet"><h1>${escapeHtml(texts.title)}</h1><p>${escapeHtml(texts.text)}</p>
<p><a class="button primary" href="${pathIn(locale, '/')}">${escapeHtml(texts.home)}</a></p></div>`,
  )
}
