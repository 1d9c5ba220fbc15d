import { useState } from 'react'
import type { Difference } from '../../../contract/office-transfers.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { bookDifference, closeDifference } from '../../../stores/office/differences.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { useLocale } from '../../parts/island.tsx'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { useTexts } from './texts.ts'

interface Props {
  difference: Difference
  way: 'book' | 'close'
  onDone: () => void
  onClose: () => void
}

/** Asks for confirmation before booking the amount that arrived, or closing a difference. */
export function SettleDifference({ difference, way, onDone, onClose }: Props) {
  const locale = useLocale()
  const { book, close } = useTexts('office-money:differences')
  const [key] = useState(randomId)
  const { payer, reported } = difference
  const to = fillText(book.to, { name: `\u2068${payer.name}\u2069` })
  const commonProps = { amount: reported, to, onClose }
  if (way === 'close') {
    return (
      <ConfirmWithReason
        {...commonProps}
        title={close.title}
        text={close.text}
        submit={close.open}
        onConfirm={async (reason) => {
          await closeDifference(difference, reason)
          onDone()
        }}
      />
    )
  }
  return (
    <ConfirmMoney
      {...commonProps}
      title={book.title}
      text={book.text}
      submit={fillText(book.submit, { amount: priceText(locale, reported) })}
      onConfirm={async () => {
        await bookDifference(difference, key)
        onDone()
      }}
    />
  )
}
