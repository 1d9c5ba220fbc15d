import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText, isolate } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { TextsAt } from '../../i18n/texts.ts'
import { $purchase, isAskedAgain, type Purchase } from '../../stores/purchase/purchase.ts'
import { type ErrorTexts, problemText, useErrorTexts } from '../parts/error-texts.ts'
import { useLocale } from '../parts/island.tsx'
import { ErrorAlert, Message } from '../parts/Message.tsx'
import { useTexts } from './texts.ts'

const idle = { phase: 'idle' } as const
const notStarted = () => idle

/**
 * The result of the purchase, above the button that started it. After a success "my documents" opens
 * and repeats it.
 */
export function PurchaseAlert() {
  const locale = useLocale()
  const texts = useTexts('checkout:result')
  const errors = useErrorTexts()
  const codes = useTexts('checkout:codes')
  const purchase = useStore($purchase, { ssr: notStarted })
  const address = pathIn(locale, '/my-documents')
  const isSettled = purchase.phase === 'done' && purchase.isSettled
  const paymentUrl = purchase.phase === 'leaving' ? purchase.paymentUrl : null

  useEffect(() => {
    if (isSettled) location.assign(address)
  }, [isSettled, address])
  useEffect(() => {
    if (paymentUrl !== null) location.assign(paymentUrl)
  }, [paymentUrl])

  // The payment panel lists the open payments, beside its button; the confirmation shows the prices.
  if (purchase.phase === 'failed' && purchase.problem.payments) return null
  if (purchase.phase === 'failed' && isAskedAgain(purchase.problem)) return null
  if (purchase.phase === 'failed') {
    return (
      <ErrorAlert>
        {reasons(purchase, texts, errors, codes).map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        {purchase.isOpen && (
          <p>{purchase.problem.nothingCharged ? texts.nothingCharged : texts.safe}</p>
        )}
      </ErrorAlert>
    )
  }
  if (paymentUrl !== null) {
    return (
      <Message kind="note">
        <p>{texts.leaving}</p>
        <p>
          <a className="link" href={paymentUrl}>
            {texts.leave}
          </a>
        </p>
      </Message>
    )
  }
  if (purchase.phase !== 'done') return null
  const titles = purchase.excluded.map((title) => isolate(title)).join(', ')
  return (
    <Message kind={purchase.excluded.length > 0 ? 'note' : 'success'}>
      <p>{titles ? fillText(texts.partial, { titles }) : texts.success}</p>
      <p>
        {texts.going}{' '}
        <a className="link" href={address}>
          {texts.go}
        </a>
      </p>
    </Message>
  )
}

/** Why the purchase failed, in one or two sentences. */
function reasons(
  { problem, step }: Extract<Purchase, { phase: 'failed' }>,
  texts: TextsAt<'checkout:result'>,
  errors: ErrorTexts,
  codes: TextsAt<'checkout:codes'>,
): string[] {
  if (problem.code === 'insufficient_balance') return [texts.insufficient]
  if (problem.code === 'unavailable' || problem.code in codes) return [problemText(problem, errors)]
  if (step === 'wallet') return [texts.unexpected]
  const titles = problem.titles?.map((title) => isolate(title)).join(', ')
  if (problem.code === 'already_owned' && titles) return [fillText(texts.owned, { titles })]
  if (problem.code === 'already_ordered' && titles) return [fillText(texts.ordered, { titles })]
  if (problem.code === 'nothing_to_pay') return [texts.nothing]
  return [texts.steps[step], fillText(texts.failed, { reason: problemText(problem, errors) })]
}
