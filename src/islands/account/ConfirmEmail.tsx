import { useStore } from '@nanostores/react'
import { useRef, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { type ConfirmationOutcome, confirmAddress } from '../../stores/account/confirmation.ts'
import { $session } from '../../stores/account/session.ts'
import { accountAddress } from '../parts/addresses.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { SendLink, type SendLinkTexts } from './SendLink.tsx'

/** `confirm-email:island` of locales. */
export interface ConfirmEmailTexts {
  intro: string
  submit: string
  confirmed: string
  already: string
  noToken: string
  logIn: string
  shop: string
}

interface Props {
  locale: Locale
  texts: ConfirmEmailTexts
  link: SendLinkTexts
  errors: ErrorTexts
}

/**
 * Confirms the address by the token in this page's. A button does it, not the visit: scanners that
 * open the links of mails, some with scripts, would confirm addresses that nobody has looked at.
 */
export default function ConfirmEmail({ locale, texts, link, errors }: Props) {
  const isHydrated = useHydrated()
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<ConfirmationOutcome | null>(null)
  const token = isHydrated ? (new URLSearchParams(location.search).get('token') ?? '') : null

  const confirm = async () => {
    if (isSending.current || !token) return
    isSending.current = true
    setBusy(true)
    setOutcome(await confirmAddress(token))
    isSending.current = false
    setBusy(false)
  }

  if (outcome && outcome.kind !== 'refused') {
    return (
      <div className="stack" role="status">
        <p className="alert alert--success">{texts[outcome.kind]}</p>
        <p>
          <a className="button" href={pathIn(locale, '/shop')}>
            {texts.shop}
          </a>
        </p>
      </div>
    )
  }
  const isSpent = outcome?.code === 'invalid_confirmation_token'
  const problem = token === '' ? texts.noToken : outcome && errors[outcome.code]
  return (
    <div className="stack">
      {problem && (
        <p className="alert alert--error" role="alert">
          {problem}
        </p>
      )}
      {token === '' || isSpent ? (
        <AnotherLink locale={locale} texts={texts} link={link} />
      ) : (
        <>
          <p>{texts.intro}</p>
          <button
            type="button"
            className="button button--primary button--wide"
            disabled={!token}
            aria-busy={isBusy}
            onClick={confirm}
          >
            {texts.submit}
          </button>
        </>
      )}
    </div>
  )
}

const nobody = () => null

/** Whose link is not good can have another, once it is known who asks. */
function AnotherLink({ locale, texts, link }: Omit<Props, 'errors'>) {
  const isIn = useStore($session, { ssr: nobody }) !== null
  if (isIn) return <SendLink texts={link} />
  return (
    <p>
      <a className="link" href={accountAddress(locale, pathIn(locale, '/confirm-email'))}>
        {texts.logIn}
      </a>
    </p>
  )
}
