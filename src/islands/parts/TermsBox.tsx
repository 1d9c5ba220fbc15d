import './choices.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { $acceptedTerms, acceptTerms, noticeShown } from '../../stores/purchase/consent.ts'
import { useLocale, useTexts } from './island.tsx'
import { useSaid } from './Message.tsx'

interface Props {
  /** The number of the terms in force. */
  terms: number
}

/** Asks a buyer to accept the terms in force, whether others were accepted before or none. */
export function TermsBox({ terms }: Props) {
  const texts = useTexts('purchase:notice')
  const locale = useLocale()
  const isAccepted = useStore($acceptedTerms) === terms
  return (
    <div className="alert stack" role="alert" ref={useSaid(undefined)}>
      <p>
        {texts.asked}{' '}
        <a className="link" href={pathIn(locale, '/terms')} target="_blank" rel="noreferrer">
          {texts.link}
        </a>
      </p>
      <label className="choice">
        <input
          type="checkbox"
          name="terms"
          checked={isAccepted}
          onChange={({ target }) => acceptTerms(target.checked ? terms : null)}
        />
        {texts.accept}
      </label>
    </div>
  )
}

/** Says that what is delivered at once cannot be given back; the purchase records that it was read. */
export function DeliveryNotice() {
  const { text } = useTexts('purchase:notice')
  const locale = useLocale()
  useEffect(() => noticeShown(locale), [locale])
  return <p className="soft small">{text}</p>
}
