import { atom, computed, readonlyType } from 'nanostores'
import { isCode, readCode } from '../../rules/code-text.ts'
import { finalPrice } from '../../rules/discount.ts'
import type { Millimes } from '../../rules/money.ts'
import { $session } from '../session/session.ts'
import { logOnly, type Problem, problemOf, Refusal } from '../shared/problem.ts'
import { $keptCode } from '../user-data/kept-cart.ts'
import { $code, askQuote, type CodeQuote, dropCode, isLasting, type QuoteRequest } from './code.ts'
import { $payable } from './payable.ts'

// What the kept code does for the cart in the checkout.

export type CartCode =
  | { phase: 'none' }
  /** Nobody is logged in: it is asked about after the log-in. */
  | { phase: 'waiting'; code: string }
  /** `quote`: what it did for the cart before that changed. */
  | { phase: 'asking'; code: string; quote: CodeQuote | null }
  | { phase: 'applied'; code: string; quote: CodeQuote }
  /** `isKept`: it may still apply, to other documents or later; otherwise it is forgotten. */
  | { phase: 'refused'; code: string; problem: Problem; isKept: boolean }

interface Question extends QuoteRequest {
  /** Identifies equal questions: the user, the code, and what is to be paid at which prices. */
  about: string
}

type Answer = Pick<Question, 'about'> & ({ quote: CodeQuote } | { problem: Problem })

const $answer = atom<Answer | null>(null)

/** Why the last code was forgotten. */
const $forgotten = atom<{ code: string; problem: Problem } | null>(null)

/** What has to be asked; null without a code, a session, or something to pay. */
const $question = computed([$code, $session, $payable], (code, session, items): Question | null => {
  if (!code || !session || items.length === 0) return null
  const documentIds = items.map(({ documentId }) => documentId)
  const bundleIds = [...new Set(items.flatMap(({ bundle }) => bundle?.id ?? []))]
  const asked = { code, documentIds, bundleIds }
  return { ...asked, about: JSON.stringify([session.userId, asked, items.map(finalPrice)]) }
})

export const $cartCode = readonlyType(
  computed(
    [$code, $session, $question, $answer, $forgotten],
    (code, session, question, answer, forgotten): CartCode => {
      if (!code) return forgotten ? { phase: 'refused', ...forgotten, isKept: false } : NO_CODE
      if (!session) return { phase: 'waiting', code }
      if (!question) return NO_CODE
      const quote = answer && 'quote' in answer && answer.quote.code === code ? answer.quote : null
      if (answer?.about !== question.about) return { phase: 'asking', code, quote }
      if ('problem' in answer)
        return { phase: 'refused', code, problem: answer.problem, isKept: true }
      return { phase: 'applied', code, quote: answer.quote }
    },
  ),
)

const NO_CODE = { phase: 'none' } as const

interface CodePrice {
  price: Millimes
  /** Without the code. */
  priceBefore: Millimes
}

/** What each document to pay costs with the code, if it applies; not to be paid while that is asked again. */
export const $prices = computed(
  [$payable, $cartCode],
  (items, state): ReadonlyMap<number, CodePrice> => {
    const quoted = ('quote' in state && state.quote?.documents) || []
    return new Map(
      items.map((item) => {
        const own = { price: finalPrice(item), priceBefore: finalPrice(item) }
        return [item.documentId, quoted.find(({ id }) => id === item.documentId) ?? own]
      }),
    )
  },
)

/** The code that a payment sends: the one in the prices that are shown. */
export function codeNow(): string | undefined {
  const state = $cartCode.get()
  return state.phase === 'applied' ? state.code : undefined
}

let asking: Promise<void> | undefined

/** The question that the last answer was not to. */
function unanswered(): Question | null {
  const question = $question.get()
  return question?.about === $answer.get()?.about ? null : question
}

/** Asks until the answer is about what is to be paid now. */
function askWhatIsNew(): Promise<void> | undefined {
  if (unanswered()) asking ??= keepAsking()
  return asking
}

async function keepAsking(): Promise<void> {
  for (let question = unanswered(); question; question = unanswered()) {
    const { about, ...request } = question
    try {
      $answer.set({ about, quote: await askQuote(request) })
    } catch (error) {
      logOnly('code')(error)
      refuse(question, problemOf(error))
    }
  }
  asking = undefined
}

function refuse({ about, code }: Question, problem: Problem): void {
  if (isLasting(problem.code) && code === $code.get()) {
    $forgotten.set({ code, problem })
    dropCode(code)
  }
  $answer.set({ about, problem })
}

/** Asks now, and again whenever something else is to be paid. Returns the function that stops it. */
export const followCode = (): (() => void) => $question.subscribe(() => void askWhatIsNew())

/** Asks again about the same documents: the last answer failed, or is no longer true. */
export async function askAgain(): Promise<void> {
  $answer.set(null)
  await askWhatIsNew()
}

/** Takes a code that was typed, in place of another one. */
export function applyCode(typed: string): void {
  const code = readCode(typed)
  if (code === $code.get()) return void askAgain()
  takeCodeAway()
  if (isCode(code)) $keptCode.set(code)
  else $forgotten.set({ code, problem: problemOf(new Refusal('code_unknown', 404)) })
}

export function takeCodeAway(): void {
  $forgotten.set(null)
  $keptCode.set('')
}
