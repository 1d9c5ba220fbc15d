// Inlined below the form of the wallet's page: chooses the proposed amount before the first paint, by
// the address and the balance that this browser remembers. React finds the same choice.

import { proposedChoice, readDocumentPrice } from '../../rules/payment-methods.ts'
import { BALANCE_KEY } from '../../rules/storage-keys.ts'

const price = readDocumentPrice(new URLSearchParams(location.search).get('documentPrice'))
let saved: number | null = null
try {
  // Also an amount in dinars.
  saved = readDocumentPrice(localStorage[BALANCE_KEY] ?? null)
} catch {
  // Storage is forbidden.
}
const choice = proposedChoice(price, saved ?? 0)

for (const input of document.querySelectorAll<HTMLInputElement>('.charging input')) {
  if (input.name === 'amount') {
    input.checked = choice.kind === 'preset' && Number(input.value) === choice.amount
  } else if (input.name === 'custom' && choice.kind === 'custom') input.value = choice.text
}
